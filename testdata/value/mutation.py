# What is shared is shared.
a = [1, 2]
b = a
b.append(3)  # value a: [1, 2, 3, 4]


def extend(xs, ys=()):
    xs += list(ys)
    xs = xs + [100]
    return xs


c = extend(a, (4,)), a  # value: ([1, 2, 3, 4, 100], [1, 2, 3, 4])
grid = [[0] * 2] * 2
grid[0][0] = 1
d = grid  # value: [[1, 0], [1, 0]]
grid = [[0] * 2 for _ in range(2)]
grid[0][0] = 1
e = grid  # value: [[1, 0], [0, 0]]


class Node:
    children = []

    def __init__(self):
        self.own = []

    def add(self, v):
        self.children.append(v)
        self.own.append(v)
        return self


f = Node().add(1).add(2).own, Node.children, Node().own  # value: ([1, 2], [1, 2], [])
config = {"a": {"b": [1]}}
copy = dict(config)
copy["a"]["b"].append(2)
copy["c"] = 1
g = config  # value: {'a': {'b': [1, 2]}}
t = ([1],)
t[0].append(2)
h = t  # value: ([1, 2],)
i, j = a[:], list(a)
i.append(0)
j.clear()
k = a, i, j  # value: ([1, 2, 3, 4], [1, 2, 3, 4, 0], [])
m = n = []
m.append(1)
l = n, m is n, m == [1], m is [1]  # value: ([1], True, True, False)
stack = [1, 2, 3]
while stack:
    top = stack.pop()
o = top, stack  # value: (1, [])
p = {}
for word in "a b a".split():
    p[word] = p.get(word, 0) + 1  # value p: {'a': 2, 'b': 1}
q = {}
for key, v in [("x", 1), ("y", 2), ("x", 3)]:
    q.setdefault(key, []).append(v)  # value q: {'x': [1, 3], 'y': [2]}
r = {1, 2}
r.add(3)
r |= {4}
r.discard(1)
s = sorted(r), 3 in r  # value: ([2, 3, 4], True)
