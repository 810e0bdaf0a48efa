# Loops, branches, try and with.
a = []
for i in range(10):
    if i == 2:
        continue
    if i == 5:
        break
    a.append(i)
else:
    a.append("never")  # value a: [0, 1, 3, 4]
b = 0
while b < 100:
    b += 7
else:
    b = -b  # value b: -105
for x, (y, z) in [(1, (2, 3)), (4, (5, 6))]:
    pass
c = x, y, z  # value: (4, 5, 6)
d = ""
if b > 0:
    d = "positive"
elif b == 0:
    d = "zero"
else:
    d = "negative"  # value d: 'negative'
try:
    e = int("3")
except ValueError:
    e = None
else:
    e += 1
finally:
    e *= 2  # value e: 8
class Manager:
    def __enter__(self):
        return 5
    def __exit__(self, *args):
        return False
with Manager() as f:
    g = f + 1  # value f: 5 # value g: 6
n, steps = 27, 0
while True:
    if n == 1:
        break
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    steps += 1  # value steps: 111
def search(items):
    for i in items:
        try:
            if i > 2:
                return i
        finally:
            seen.append(i)
seen = []
h = search([1, 2, 3, 4]), seen  # value: (3, [1, 2, 3])
del seen
j = k = l = 3
j += 1
k **= 2
l //= 2
m = j, k, l  # value: (4, 9, 1)
o = [10, 20, 30]
o[1] *= 2
o[-1], o[0] = o[0], o[-1]  # value o: [30, 40, 10]
assert o[0] == 30, "wrong"
p: int = 4  # value: 4
for q in []:
    r = 1
else:
    r = 2  # value r: 2
i = 100
for i in range(3):
    for k in range(2):
        if k:
            break
    else:
        raise ValueError
s = i, k  # value: (2, 1)


# What surely raises in a function is handled where the function is called.
def refuse():
    raise NotImplementedError


def fall_back(default):
    try:
        found = refuse()
    except NotImplementedError:
        return default  # the assignment did not happen
    return found


handled = fall_back(7)  # value: 7
kept = 3
try:
    kept = refuse()
    kept = 4
except NotImplementedError:
    pass
after = kept  # value: 3
try:
    refuse()
    reached = "body"
except (ValueError, NotImplementedError):
    reached = "handler"
way = reached  # value: 'handler'
