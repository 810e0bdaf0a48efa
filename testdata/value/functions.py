# Functions: parameters of every kind, closures, recursion.
def f(a, b=2, *rest, c, d=4, **more):
    return a, b, rest, c, d, more
a = f(1, c=3)  # value: (1, 2, (), 3, 4, {})
b = f(1, 5, 6, 7, c=8, e=9)  # value: (1, 5, (6, 7), 8, 4, {'e': 9})
c = f(*[1, 2, 3], **{"c": 0, "d": 1})  # value: (1, 2, (3,), 0, 1, {})
def counter(start):
    n = start
    def step(by=1):
        nonlocal n
        n += by
        return n
    return step
s = counter(10)
s()
d = s(5)  # value: 16
def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)
e = fact(10)  # value: 3628800
def only(a, /, b, *, c):
    return a + b + c
g = only(1, b=2, c=3)  # value: 6
total = 0
def add(n):
    global total
    total += n
add(3)
add(4)  # value total: 7
def default(xs=[]):
    xs.append(1)
    return len(xs)
default()
h = default()  # value: 2
def nothing():
    pass
i = nothing()  # value: None
j = (lambda x, *y, k=3: x + len(y) + k)(1, 2, 3)  # value: 6
def early(n):
    for i in range(10):
        if i == n:
            return i * 10
    return -1
k = early(3), early(99)  # value: (30, -1)
def gen(n):
    for i in range(n):
        yield i
        yield -i
l = list(gen(3))  # value: [0, 0, 1, -1, 2, -2]
def chained():
    yield from gen(1)
    yield 9
m = sum(chained())  # value: 9
g2 = gen(2)
n = next(g2), next(g2), next(g2), list(g2)  # value: (0, 0, 1, [-1])
def compose(*fs):
    def run(x):
        for f in fs:
            x = f(x)
        return x
    return run
o = compose(lambda x: x + 1, lambda x: x * 2)(3)  # value: 8
def outer():
    x = 1
    def inner():
        return x
    x = 2
    return inner()
p = outer()  # value: 2
def swap(a, b):
    return b, a
q, r = swap(1, 2)  # value q: 2 # value r: 1
def kw(**k):
    return list(k)
t = kw(z=1, a=2, **{"m": 3})  # value: ['z', 'a', 'm']
u = f.__name__  # value: 'f'
