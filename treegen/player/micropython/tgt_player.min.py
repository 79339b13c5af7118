M=range
from array import array
from binascii import crc32
d=b'00000000432277771117777700007777777772223344'
U=b'\x04\x03\x03\x02\x03\x02\x02\x01\x03\x02\x02\x01\x02\x01\x01\x00'
def D(is_true):
	if not is_true:raise ValueError('bad table')
def open_table(data):
	c='big';E=data;N=len(E)-5;D(N>9 and E[1:6]==b'\xa4TGT1'and E[N]==206);D(crc32(memoryview(E)[:-5])==int.from_bytes(E[-4:],c));C=6
	def A(wanted):
		G=wanted;nonlocal C;A=E[C];C+=1;D(A<224);B=d[A>>4 if A<192 else A-180]-48;F=A&(127,0,31,15,15,0,0,0)[B]
		if A>191:H=2<<(A&1)if B>2 else 1<<(A-(B>1)&3);F=int.from_bytes(E[C:C+H],c);C+=H
		if 0<B<3:C+=F
		D(C<=N>=F*(B>2)and(B==G or G==9 and B<3));return F
	def Q(n_bits):F=n_bits;B=A(1);D(B==F+7>>3);D(not B or not E[C-1]&(1<<(-F&7))-1);return C-B
	def H(begin,place,width):
		A=width;B=place*A;C=0
		while A:C=C<<1|E[begin+(B>>3)]>>(~B&7)&1;B+=1;A-=1
		return C
	V=A(0);D(A(2)==4 and E[C-4:C]==b'full'and(V or E[0]==158));W=A(3)-2
	if A(2)==8:W-=1;A(2)
	O=A(0)
	for X in M(W):A(9)
	for X in M(A(3)):A(0)
	for X in M(2*A(4)):A(9)
	R=A(0);P=A(0)-1;F=A(0);D(A(0)==0<R and 0<F<1<<26 and P>0);J=K=0
	while R-1>>J:J+=1
	while P-1>>K:K+=1
	Y=Q(F*J);Z=Q((F-1)*K);S=Q(2*F-1);D(V or C==N);B=a=G=0;T=-1
	for L in M(2*F-1):
		if H(S,L,1):b=H(Z,G,K);G+=1;D(G<F and T<b<P);T=b
		else:
			D(H(Y,L-G,J)<R);D(L<2*G or L>2*F-3);T=-1
			if L-G==a:B+=2;a=G
	I=array('i',[0]*(B+2));B=0
	def e():A=I[B];return None if A<0 else H(Y,A,J)
	def f(response,white=-1):
		M=False;F=white;A=response;nonlocal B;C=I[B];D=N=I[B+1];G=D-C+1
		if F>=0:
			if A+F>O or A==O-1 and F:return M
			A=A*(2*O+3-A)//2+F-(A==O)
		if C<0:return M
		if A==P:B+=2;I[B]=-1;return
		while H(S,N,1):
			if H(Z,G-1,K)==A:
				while C<G:
					J=E[S+(D>>3)];L=U[J>>4]+U[J&15];Q=8
					if D&7 or C+L>=G:L=~J>>(~D&7)&1;Q=1
					C+=L;D+=Q
				B+=2;I[B]=C;I[B+1]=D;return True
			G+=1;N+=1
		return M
	def g():nonlocal B;B=max(0,B-2)
	return e,f,g