# Iterators are used up, one item at a time.
it = iter([1, 2, 3, 4])
for x in it:
    if x == 2:
        break
a = x, list(it), list(it)  # value: (2, [3, 4], [])
pairs = list(zip(*[iter(range(6))] * 2))  # value: [(0, 1), (2, 3), (4, 5)]
z = zip([1, 2], [3, 4])
b = list(z), list(z)  # value: ([(1, 3), (2, 4)], [])
rows = [[1, 2, 3], [4, 5, 6]]
c = list(zip(*rows))  # value: [(1, 4), (2, 5), (3, 6)]
d = [list(t) for t in zip(*c)]  # value: [[1, 2, 3], [4, 5, 6]]
queue = [1]
for n in queue:
    if n < 20:
        queue.append(n * 3)
e = queue  # value: [1, 3, 9, 27]


def countdown(n):
    while n:
        yield n
        n -= 1


g = countdown(3)
f = next(g), [v for v in g], next(g, "end")  # value: (3, [2, 1], 'end')
h = dict(enumerate("ab")), dict(zip("xy", range(2)))  # value: ({0: 'a', 1: 'b'}, {'x': 0, 'y': 1})
first, *middle, last = countdown(4)
i = first, middle, last  # value: (4, [3, 2], 1)
j = max(countdown(3)), sum(countdown(3)), sorted(countdown(3)), tuple(countdown(2))  # value: (3, 6, [1, 2, 3], (2, 1))
k = any(n > 2 for n in countdown(3)), all(n > 2 for n in countdown(3))  # value: (True, False)
total = 0
for index, (left, right) in enumerate(zip([1, 2], [10, 20]), 1):
    total += index * left * right
l = total  # value: 90
m = list(map(max, [1, 5], [4, 2]))  # value: [4, 5]
o = " ".join(str(n) for n in countdown(2))  # value: '2 1'


class Tree:
    def __init__(self, value, *children):
        self.value = value
        self.children = children

    def __iter__(self):
        yield self.value
        for child in self.children:
            yield from child


p = list(Tree(1, Tree(2, Tree(3)), Tree(4)))  # value: [1, 2, 3, 4]
import itertools
pairs2 = list(itertools.pairwise([3, 24, 48]))  # value: [(3, 24), (24, 48)]
ends = [b for a, b in itertools.pairwise(range(1))]  # value: []

import random
drawn = random.sample(range(90), 12)
drawn_length = len(drawn)  # value: 12
drawn_first = drawn[0] * 0 + 1  # unknown: which items random.sample draws
import itertools
import random
endless = itertools.count(3)
part = list(itertools.islice(endless, 2)), next(endless), list(itertools.islice("abcdef", 1, None, 2)), list(itertools.islice([1, 2, 3], 7))  # value: ([3, 4], 5, ['b', 'd', 'f'], [1, 2, 3])
far_part = list(itertools.islice([1, 2, 3], 1, 3, 9223372036854775807)), list(itertools.islice("ab", 2**62, None, 2**62))  # value: ([2], [])
unknown_part = list(itertools.islice(mystery(), 3)) if False else list(itertools.islice([], None))  # value: []
alike = random.sample([(7, 8)] * 9, 3), len(random.sample(range(9), 4))  # value: ([(7, 8), (7, 8), (7, 8)], 4)
