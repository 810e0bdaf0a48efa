# no python: what this is about is not known to Python either until it runs
# Returns, breaks and continues under tests that are not known.
import mystery

state = 0


def nested(x):
    global state
    if mystery.a():
        if mystery.b():
            return 1
    state = 5
    return 1


a = nested(0)  # value: 1
b = state  # unknown: the test on line \d+, mystery.[ab]


def both(x):
    if mystery.a():
        return x + 1
    else:
        return x + 1


c = both(1)  # value: 2


def loop(xs):
    found = None
    for x in xs:
        if x == mystery.wanted:
            found = x
            break
    return found


d = loop([1, 2, 3])  # unknown: the test on line \d+, x == mystery.wanted


def skipping(xs):
    total = 0
    count = 0
    for x in xs:
        count += 1
        if mystery.skip(x):
            continue
        total += x
    return total, count


e = skipping([1, 2, 3])[0]  # unknown: the test on line \d+, mystery.skip
f = skipping([1, 2, 3])[1]  # value: 3


def unreached():
    for x in [1, 2, 3]:
        if mystery.a():
            return x
    return 0


g = unreached()  # unknown: the test on line \d+, mystery.a


def raising(x):
    if mystery.a():
        x = 100
        raise ValueError
    for i in range(3):
        if mystery.b():
            raise KeyError
        x += 1
    return x


h = raising(1)  # value: 4


def mixed(x):
    while True:
        x += 1
        if x > 3:
            if mystery.a():
                return x
            break
    return x


i = mixed(0)  # value: 4


def rest(x):
    if mystery.a():
        return 5
    if mystery.b():
        return 5
    k = x + 1
    return k


j = rest(4)  # value: 5


def inner_states():
    n = 0
    if mystery.a():
        n = 1
        if mystery.b():
            n = 2
            return n
        n = 3
    m = n
    return m


k = inner_states()  # unknown: mystery


def in_try():
    try:
        if mystery.a():
            return 1
        x = 2
    finally:
        pass
    return x


l = in_try()  # unknown: mystery.a
for n in range(3):
    if mystery.a():
        break
else:
    o = 1
p = n  # unknown: mystery.a
q = 0
while q < 10:
    q += 1
    if mystery.stop(q):
        break
r = q  # unknown: mystery.stop
s = 7
for n in range(3):
    s = 7
    if mystery.stop(q):
        continue
    s = 7
t = s  # value: 7
