# Numbers, as Python computes them.
a = 7 // 2  # value: 3
b = -7 // 2  # value: -4
c = -7 % 3  # value: 2
d = 7 % -3  # value: -2
e = 2 ** 10  # value: 1024
f = 2 ** -1  # value: 0.5
g = 7 / 2  # value: 3.5
h = 1e-3 * 3  # value: 0.003
i = 0x1F + 0b101 + 0o17 + 1_000  # value: 1051
j = 5 & 3 | 8 ^ 1  # value: 9
k = 1 << 20 >> 3  # value: 131072
l = -7.5 // 2  # value: -4.0
m = -7.5 % 2  # value: 0.5
n = True + True  # value: 2
o = not 0  # value: True
p = 1 < 2 < 3  # value: True
q = 1 < 2 > 3  # value: False
r = abs(-3) + round(2.5) + round(3.5) + round(2.675, 2)  # value: 11.67
s = divmod(-7, 2)  # value: (-4, 1)
t = int("12") + int(3.99) + int(-3.99)  # value: 12
u = float("1e3")  # value: 1000.0
v = 10 ** 16 / 3  # value: 3333333333333333.5
w = 1e16  # value: 1e+16
x = 1e-5  # value: 1e-05
y = ~5  # value: -6
z = 3 if 2 > 1 else 4  # value: 3
aa = 0 or "x"  # value: 'x'
ab = 1 and []  # value: []
ac = 2 ** 62 + 0.0  # value: 4.611686018427388e+18
ad = min(3, 1, 2) + max([4, 9])  # value: 10
ae = sum([1, 2, 3], 10)  # value: 16
af = 1 == 1.0 == True  # value: True
ag = -2 ** 2  # value: -4
ah = (1, 2) < (1, 3)  # value: True
ai = 3 in [1, 2, 3] and 4 not in (1, 2)  # value: True
aj = hex(255) + bin(5) + oct(8)  # value: '0xff0b1010o10'
ak = float("inf")  # value: inf
al = (3, 11, 0) >= (3,)  # value: True
am = [1] < [1, 0, 0, 0] and not (1, 2, 3) <= (1,)  # value: True
