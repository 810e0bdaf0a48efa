# Comprehensions, generator expressions, and their scopes.
a = [i * i for i in range(5) if i % 2 == 0]  # value: [0, 4, 16]
b = {k: v for k, v in zip("ab", (1, 2))}  # value: {'a': 1, 'b': 2}
c = [(i, j) for i in range(3) for j in range(i)]  # value: [(1, 0), (2, 0), (2, 1)]
d = [[j for j in range(i)] for i in range(3)]  # value: [[], [0], [0, 1]]
e = sum(x for x in range(4))  # value: 6
i = "outer"
f = [i for i in range(2)] + [i]  # value: [0, 1, 'outer']
g = [(y := 3), y + 1]  # value g: [3, 4] # value y: 3
h = [(last := n) for n in range(3)]  # value last: 2
j = sorted(len(w) for w in ["aa", "b"])  # value: [1, 2]
k = {n % 2 for n in range(4)} == {0, 1}  # value: True
gen = (n for n in range(3))
l = list(gen) + list(gen)  # value: [0, 1, 2]
fs = [lambda n=n: n + 1 for n in range(3)]
m = [f() for f in fs]  # value: [1, 2, 3]
gs = [lambda: n for n in range(3)]
o = [g() for g in gs]  # value: [2, 2, 2]
p = ["x" if n else "y" for n in (0, 1)]  # value: ['y', 'x']
def outer(scale):
    return [scale * n for n in range(3)]
q = outer(2)  # value: [0, 2, 4]
