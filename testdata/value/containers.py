# Lists, tuples, dicts, sets and their methods.
a = [3, 1, 2]
a.append(5)
a.extend((7, 8))
a.insert(1, 9)
a += [0]
b = a[:]  # value: [3, 9, 1, 2, 5, 7, 8, 0]
c = a.pop() + a.pop(0)  # value: 3
a.remove(9)
a.sort(reverse=True)  # value a: [8, 7, 5, 2, 1]
d = a[1:-1] + a[::-2]  # value: [7, 5, 2, 1, 5, 8]
e = sorted(["bb", "a", "ccc"], key=len, reverse=True)  # value: ['ccc', 'bb', 'a']
f = [0] * 3 + [None]  # value: [0, 0, 0, None]
g = {"a": 1, "b": 2}
g["c"] = 3
g.update(d=4, a=10)
h = list(g.items())  # value: [('a', 10), ('b', 2), ('c', 3), ('d', 4)]
i = g.get("z", -1) + g.pop("d") + g.setdefault("e", 5)  # value: 8
j = {**g, "a": 0, **{"z": 1}}  # value: {'a': 0, 'b': 2, 'c': 3, 'e': 5, 'z': 1}
del g["c"]  # value g: {'a': 10, 'b': 2, 'e': 5}
k = dict(x=1, **{"y": 2})  # value: {'x': 1, 'y': 2}
l = dict(zip("ab", [1, 2]))  # value: {'a': 1, 'b': 2}
m, (n, *o), *p = 1, (2, 3, 4), 5, 6  # value n: 2 # value o: [3, 4] # value p: [5, 6]
q = (1, 2) + (3,) * 2  # value: (1, 2, 3, 3)
r = len({1, 2, 2, 3} | {4}) + len({1, 2} & {2})  # value: 5
s = [*range(3), *"ab"]  # value: [0, 1, 2, 'a', 'b']
t = list(range(10, 0, -3))  # value: [10, 7, 4, 1]
u = range(10)[2:8:2]  # value: range(2, 8, 2)
v = list(reversed([1, 2, 3]))  # value: [3, 2, 1]
w = list(enumerate("ab", start=1))  # value: [(1, 'a'), (2, 'b')]
x = [[1, 2], [3, 4]]
x[0][1] = 9
x[1] += [5]
y = x  # value: [[1, 9], [3, 4, 5]]
z = a.index(5) + [1, 1, 2].count(1)  # value: 4
aa = [1, 2, 3, 4, 5]
aa[1:3] = [20]
del aa[-1]  # value aa: [1, 20, 4]
ab = any([0, "", 3]) and all([1, "x"]) and not any([])  # value: True
ac = max({"a": 3, "b": 5}, key={"a": 3, "b": 5}.get)  # value: 'b'
ad = list(map(lambda v, w: v * w, [1, 2], [3, 4])) + list(filter(None, [0, 1, 2]))  # value: [3, 8, 1, 2]
ae = [1, 2] == [1, 2.0] and (1,) != [1]  # value: True
af = {1: "int", True: "bool", "s": 0}  # value: {1: 'bool', 's': 0}
ag = [i for i in {"x": 1, "y": 2}]  # value: ['x', 'y']
ah = tuple({"x": 1, "y": 2}.values())  # value: (1, 2)
ai = sorted({3, 1, 2})  # value: [1, 2, 3]
aj = 5 in range(0, 10, 5) and 4 not in range(0, 10, 5)  # value: True
slices = slice(None), slice(1, 3)
are_slices = [isinstance(s, slice) for s in slices], isinstance([1], slice), isinstance(slices[0], (int, list))  # value: ([True, True], False, False)
