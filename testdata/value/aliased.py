# no python: what this is about is not known to Python either until it runs
# Changes through other names, in code that may or may not run.
import mystery

shared = [1]
alias = shared
box = {"list": shared}


class Keeper:
    def __init__(self, items):
        self.items = items


keeper = Keeper(shared)
if mystery.flag():
    alias.append(2)
a = len(shared)  # unknown: mystery.flag
b = len(box["list"])  # unknown: mystery.flag
c = len(keeper.items)  # unknown: mystery.flag
d = keeper.items is shared  # value: True


def change(xs, flag):
    if flag:
        xs.append(1)


fixed = []
change(fixed, False)
e = len(fixed)  # value: 0
change(fixed, mystery.flag())
f = len(fixed)  # unknown: the test on line \d+, flag
pair = [1, 2]
if mystery.flag():
    pair[0] = 5
g = pair[1]  # value: 2
h = pair[0]  # unknown: mystery.flag
i = len(pair)  # value: 2
table = {"x": 1}
table[mystery.key()] = 2
j = table["x"]  # unknown: a key that is not known
k = "y" in table  # unknown: is not known|a key
l = len(table)  # unknown: a key that is not known
numbers = [1, 2, 3]
numbers[mystery.index()] = 9
m = len(numbers)  # value: 3
n = numbers[0]  # unknown: replaced at an index that is not known
counter = {"n": 0}


def bump():
    counter["n"] += 1
    return counter["n"]


mystery.flag() and bump()
o = counter["n"]  # unknown: mystery.flag
p = 0
q = [(p := p + 1) for _ in mystery.items()]
r = p  # unknown: mystery.items
inner = [[0], [1]]
for row in inner:
    if mystery.flag():
        row.append(2)
s = len(inner)  # value: 2
t = len(inner[0])  # unknown: mystery.flag
with mystery.scope() as u:  # unknown u: mystery.scope
    v = 3  # value: 3
if mystery.flag():
    keeper.items = [1, 2]
w = len(keeper.items)  # unknown: mystery.flag
x = keeper.__class__.__name__  # value: 'Keeper'
