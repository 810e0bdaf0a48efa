# no python: what this is about is not known to Python either until it runs
# Tests that are not known: both sides, and what they agree on.
import mystery

items = []
known = [1]
table = {"a": 1, "b": 2}
if mystery.flag():
    a = 1
    b = 2
    items.append(1)
    known[0] = 1
    table["a"] = 1
    table["c"] = 3
else:
    a = 1
    b = 3
    table["b"] = 5  # unknown table: the test on line \d+, mystery.flag
# value a: 1
if mystery.flag():
    c = 5  # value c: 5
n = 4
if mystery.flag():
    n = 5  # unknown n: the test on line \d+, mystery.flag\(\), is not known
d = b  # unknown: the test on line 8, mystery.flag\(\), is not known: mystery.flag\(\) is not in this program
e = items  # unknown: the test on line \d+, mystery.flag
f = len(items)  # unknown: the test on line \d+, mystery.flag
g = known  # value: [1]
h = table["a"]  # value: 1
i = table["b"]  # unknown: the test on line \d+, mystery.flag
j = table.get("c", 0)  # unknown: the test on line \d+, mystery.flag


def guard(x):
    if x is None:
        return None
    if mystery.bad(x):
        raise ValueError(x)
    y = x * 2
    return y


k = guard(4)  # value: 8


def early(x):
    y = 1
    if mystery.flag():
        y = 2
        return y
    z = y + 1
    return z * 10


m = early(1)  # unknown: the test on line \d+, mystery.flag


def same(x):
    if mystery.flag():
        return x
    return x


o = same(3)  # value: 3


class Holder:
    width = 1

    def __init__(self):
        self.seen = 0

    def touch(self):
        if mystery.flag():
            self.seen += 1
            self.width = 2
            return
        self.seen += 0


p = Holder()
p.touch()
q = p.seen  # unknown: the test on line \d+, mystery.flag
r = p.width  # unknown: the test on line \d+, mystery.flag
s = 1 if mystery.flag() else 1  # value: 1
t = 1 if mystery.flag() else 2  # unknown: the test on line \d+, mystery.flag
u = mystery.flag() or 3  # unknown: the test on line \d+, mystery.flag
v = mystery.value + 3  # unknown: mystery.value is not in this program
w = 3 * (v - 1)  # unknown: mystery.value is not in this program
x = [1, v, 3][0]  # value: 1
y = (1, v)  # unknown: mystery.value
z = isinstance(v, int)  # unknown: mystery.value
aa = v is None  # unknown: mystery.value
ab = {"k": 1, **mystery.options()}
ac = ab["k"]  # unknown: mystery.options
ad = [*mystery.more(), 1]  # unknown: mystery.more
ae = len(ad)  # unknown: mystery.more
if mystery.flag():
    def act(x):
        return x
else:
    def act(x):
        return -x
af = act(3)  # unknown: the test on line \d+, mystery.flag
total = 0
if mystery.a():
    total = 1
elif mystery.b():
    total = 2
elif True:
    total = 3
else:
    total = 4  # unknown total: mystery.a
if mystery.a():
    flag = False
elif mystery.b():
    flag = False
else:
    flag = False  # value flag: False
if mystery.a():
    pair = 1, 2
else:
    pair = 1, 3
left = pair[0]  # value: 1
right = pair[1]  # unknown: mystery
if mystery.a():
    bound_on_one_side = 5
    ascii = 5
at_least_five = bound_on_one_side  # value: 5
five_or_builtin = ascii  # unknown: mystery


class HasWidth:
    width = 4

    def __init__(self):
        if mystery.a():
            self.width = 5
            self.depth = 6


five_or_class = HasWidth().width  # unknown: mystery
six = HasWidth().depth  # value: 6
if mystery.a():
    longer_first = 1, 2, 3
    longer_last = 1, 2
else:
    longer_first = 1, 2
    longer_last = 1, 2, 3
of_longer_first = longer_first[0]  # unknown: mystery
of_longer_last = longer_last[0]  # unknown: mystery
