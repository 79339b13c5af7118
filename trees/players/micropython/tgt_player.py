N=range
from array import array
from binascii import crc32
g=b'00000000432277771117777700007777777772223344'
V=b'\x04\x03\x03\x02\x03\x02\x02\x01\x03\x02\x02\x01\x02\x01\x01\x00'
def D(is_true):
	if not is_true:raise ValueError('bad table')
def open_table(data,profile=b'full'):
	f='big';W=profile;C=data;O=len(C)-5;D(O>9 and C[1:6]==b'\xa4TGT1'and C[O]==206);D(crc32(memoryview(C)[:-5])==int.from_bytes(C[-4:],f));A=6
	def E(wanted):
		G=wanted;nonlocal A;B=C[A];A+=1;D(B<224);E=g[B>>4 if B<192 else B-180]-48;F=B&(127,0,31,15,15,0,0,0)[E]
		if B>191:H=2<<(B&1)if E>2 else 1<<(B-(E>1)&3);F=int.from_bytes(C[A:A+H],f);A+=H
		if 0<E<3:A+=F
		D(A<=O>=F*(E>2)and(E==G or G==9 and E<3));return F
	def R(n_bits):F=n_bits;B=E(1);D(B==F+7>>3);D(not B or not C[A-1]&(1<<(-F&7))-1);return A-B
	def H(begin,place,width):
		A=width;B=place*A;D=0
		while A:D=D<<1|C[begin+(B>>3)]>>(~B&7)&1;B+=1;A-=1
		return D
	X=E(0);D(E(2)==4 and C[A-4:A]==W and(X or C[0]==158));I=0
	for h in N(E(3)):
		i=C[A]<128 or 203<C[A]<208;j=E(9)
		if i and not I:I=j
	k=[E(0)for A in N(E(3))]
	for h in N(2*E(4)):E(9)
	S=E(0);P=E(0)-1;F=E(0);Q=E(0);D(Q<3 and(Q>0)==(W==b'lean'));D(S>0 and 0<F<1<<26 and P>0);K=L=0
	while S-1>>K:K+=1
	while P-1>>L:L+=1
	Y=R(F*K);Z=R((F-1)*L);T=R(2*F-1);D(X or A==O);B=a=G=0;U=-1
	for M in N(2*F-1):
		if H(T,M,1):b=H(Z,G,L);G+=1;D(G<F and U<b<P);U=b
		else:
			D(H(Y,M-G,K)<S);D(M<2*G or M>2*F-3);U=-1
			if M-G==a:B+=2;a=G
	J=array('i',[0]*(B+2));B=0
	def c():A=J[B];return None if A<0 else H(Y,A,K)
	def d(response,white=-1):
		N=False;F=white;A=response;nonlocal B;D=J[B];E=O=J[B+1];G=E-D+1
		if F>=0:
			if A+F>I or A==I-1 and F:return N
			A=A*(2*I+3-A)//2+F-(A==I)
		if D<0:return N
		if A==P:B+=2;J[B]=-1;return
		while H(T,O,1):
			if H(Z,G-1,L)==A:
				while D<G:
					K=C[T+(E>>3)];M=V[K>>4]+V[K&15];Q=8
					if E&7 or D+M>=G:M=~K>>(~E&7)&1;Q=1
					D+=M;E+=Q
				B+=2;J[B]=D;J[B+1]=E;return True
			G+=1;O+=1
		return N
	def e():nonlocal B;B=max(0,B-2)
	return(c,d,e,F,Q,k)if Q else(c,d,e)