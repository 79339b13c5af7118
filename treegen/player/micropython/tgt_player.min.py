N=range
from array import array
from binascii import crc32
c=b'00000000432277771117777700007777777772223344'
U=b'\x04\x03\x03\x02\x03\x02\x02\x01\x03\x02\x02\x01\x02\x01\x01\x00'
def E(is_true):
	if not is_true:raise ValueError('bad table')
def open_table(data):
	b='big';C=data;O=len(C)-5;E(O>9 and C[1:6]==b'\xa4TGT1'and C[O]==206);E(crc32(memoryview(C)[:-5])==int.from_bytes(C[-4:],b));A=6
	def D(wanted):
		G=wanted;nonlocal A;B=C[A];A+=1;E(B<224);D=c[B>>4 if B<192 else B-180]-48;F=B&(127,0,31,15,15,0,0,0)[D]
		if B>191:H=2<<(B&1)if D>2 else 1<<(B-(D>1)&3);F=int.from_bytes(C[A:A+H],b);A+=H
		if 0<D<3:A+=F
		E(A<=O>=F*(D>2)and(D==G or G==9 and D<3));return F
	def Q(n_bits):F=n_bits;B=D(1);E(B==F+7>>3);E(not B or not C[A-1]&(1<<(-F&7))-1);return A-B
	def H(begin,place,width):
		A=width;B=place*A;D=0
		while A:D=D<<1|C[begin+(B>>3)]>>(~B&7)&1;B+=1;A-=1
		return D
	V=D(0);E(D(2)==4 and C[A-4:A]==b'full'and(V or C[0]==158));I=0
	for W in N(D(3)):
		d=C[A]<128 or 203<C[A]<208;e=D(9)
		if d and not I:I=e
	for W in N(D(3)):D(0)
	for W in N(2*D(4)):D(9)
	R=D(0);P=D(0)-1;F=D(0);E(D(0)==0<R and 0<F<1<<26 and P>0);K=L=0
	while R-1>>K:K+=1
	while P-1>>L:L+=1
	X=Q(F*K);Y=Q((F-1)*L);S=Q(2*F-1);E(V or A==O);B=Z=G=0;T=-1
	for M in N(2*F-1):
		if H(S,M,1):a=H(Y,G,L);G+=1;E(G<F and T<a<P);T=a
		else:
			E(H(X,M-G,K)<R);E(M<2*G or M>2*F-3);T=-1
			if M-G==Z:B+=2;Z=G
	J=array('i',[0]*(B+2));B=0
	def f():A=J[B];return None if A<0 else H(X,A,K)
	def g(response,white=-1):
		N=False;F=white;A=response;nonlocal B;D=J[B];E=O=J[B+1];G=E-D+1
		if F>=0:
			if A+F>I or A==I-1 and F:return N
			A=A*(2*I+3-A)//2+F-(A==I)
		if D<0:return N
		if A==P:B+=2;J[B]=-1;return
		while H(S,O,1):
			if H(Y,G-1,L)==A:
				while D<G:
					K=C[S+(E>>3)];M=U[K>>4]+U[K&15];Q=8
					if E&7 or D+M>=G:M=~K>>(~E&7)&1;Q=1
					D+=M;E+=Q
				B+=2;J[B]=D;J[B+1]=E;return True
			G+=1;O+=1
		return N
	def h():nonlocal B;B=max(0,B-2)
	return f,g,h