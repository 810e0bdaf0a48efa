# no python: what this is about is not known to Python either until it runs
# Loops over what is not known, or too long to follow.
import mystery

a = 0
last = None
seen = []
const = 5
for x in mystery.items():
    a += 1
    last = x
    seen.append(x)
    const = 5
    fresh = 3
b = a  # unknown: the items of the loop on line 9 are not known: mystery.items
c = last  # unknown: the loop on line 9
d = len(seen)  # unknown: the loop on line 9
e = const  # value: 5
f = fresh  # value: 3

done = False
late = 0
while mystery.more():
    if done:
        late = 1
    done = True
g = late  # unknown: the test on line \d+, mystery.more
h = done  # unknown: the test on line \d+, mystery.more

count = 0
for i in range(10**9):
    count += 1
    other = 4
j = count  # unknown: the loop on line 31 is too long to follow
k = other  # value: 4

n = 0
steady = "s"
while True:
    n += 1
    if mystery.stop():
        break
l = n  # unknown: mystery.stop
m = steady  # value: 's'
o = [v for v in mystery.items()]  # unknown: mystery.items
p = [v for v in [1, 2] if mystery.keep(v)]  # unknown: mystery.keep
q = {v: 1 for v in mystery.items()}  # unknown: mystery.items
r = sum(mystery.items())  # unknown: mystery.items
s, t = mystery.pair()  # unknown s: mystery.pair # unknown t: mystery.pair
u = list(zip([1, 2], mystery.items()))  # unknown: mystery.items


def endless():
    i = 0
    while True:
        yield i
        i += 1


v = list(endless())  # unknown: endless yields more than can be followed
for w in endless():
    z = 1
x = z  # value: 1
swap = 1
keep = 2
for _ in mystery.items():
    swap, keep = keep, swap
y = swap  # unknown: the loop on line \d+


def batches(size):
    while True:
        for _ in mystery.items():
            yield size, "x"


def mixed():
    while True:
        for _ in mystery.items():
            yield 1
            yield "x"


aa = next(batches(4))  # value: (4, 'x')
ab = next(mixed())  # unknown: mixed yields more than can be followed
ac = list(batches(4))  # unknown: batches yields more than can be followed
