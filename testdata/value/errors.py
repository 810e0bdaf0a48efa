# no python: these raise, and what they yield is not known
a = 1 / 0  # unknown: division by zero
b = [1][5]  # unknown: IndexError
c = {"a": 1}["b"]  # unknown: KeyError
d = "a" + 1  # unknown: TypeError
e = int("x")  # unknown: ValueError
f = None.shape  # unknown: AttributeError
g = undefined  # unknown: undefined is not defined in this program
h = (lambda x: x)()  # unknown: called without x
i = (lambda x: x)(1, 2)  # unknown: more than it takes
j = (lambda x: x)(y=1)  # unknown: called without x
k = 2 ** 64  # unknown: larger than 64 bits
l = 9223372036854775807 + 1  # unknown: larger than 64 bits
m = 12345678901234567890  # unknown: the number 12345678901234567890
n = 3j  # unknown: the number 3j
o = b"bytes"  # unknown: bytes


def fails():
    raise ValueError("no")


p = fails()  # unknown: fails raises an error
q = fails() + 1  # unknown: fails raises an error
r, s = 1, 2, 3  # unknown r: ValueError
t = 3()  # unknown: not a function
u = max([])  # unknown: ValueError
v = next(iter([]))  # unknown: StopIteration


class Broken:
    def __init__(self, n):
        if n > 0:
            raise ValueError

    def method(self):
        return 1


w = Broken(1)  # unknown: __init__ raises
x = Broken(0).method()  # value: 1
y = Broken(0).missing  # unknown: AttributeError


def forever(n):
    return forever(n + 1)


z = forever(0)  # unknown: calls itself too deeply
try:
    raise ValueError
    aa = 1
except ValueError:
    aa = 2  # value aa: 2
ab = -9223372036854775807 - 1  # value: -9223372036854775808
ac = -ab  # unknown: larger than 64 bits
ad = "x" * 10**9  # unknown: too long
ae = [0] * 10**9  # unknown: too many items


import ast

called = ast.literal_eval("open('x')")  # unknown: not a literal
named = ast.literal_eval("called")  # unknown: not a literal
broken = ast.literal_eval("[1, 2")  # unknown: not a literal
nothing = ast.literal_eval("")  # unknown: not a literal
two = ast.literal_eval("1\n2")  # unknown: not a literal
