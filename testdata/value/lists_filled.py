# How many items a list has after a loop that is too long to follow.
plain = []
for i in range(30_000_000):
    plain.append((i, 1.0))
plain_many = len(plain)  # value: 30000000

pairs = []
for i in range(1_000_000):
    pairs.append("a")
    pairs.extend(["b", "c"])
pairs_many = len(pairs)  # value: 3000000

nested = []
for i in range(2000):
    for j in range(5000):
        nested.append(j)
nested_many = len(nested)  # value: 10000000


class Holder:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)


holder = Holder()
for i in range(3_000_000):
    holder.add(i)
held_many = len(holder.items)  # value: 3000000
by_comprehension = len([i * i for i in range(7_000_000)])  # value: 7000000
part = len(plain[:1000])  # value: 1000
more = len(plain + [1])  # value: 30000001

few = []
for i in range(3_000_000):
    if len(few) < 9:
        few.append(i)
few_many = len(few)  # value: 9

skipped = []
for i in range(3_000_000):
    if i % 2:
        continue
    skipped.append(i)
skipped_many = len(skipped)  # unknown: the loop on line 43

popped = []
for i in range(3_000_000):
    popped.append(i)
    if len(popped) > 2:
        popped.pop(0)
popped_many = len(popped)  # value: 2

broken = []
for i in range(3_000_000):
    broken.append(i)
    if i == 2_000_000:
        break
broken_many = len(broken)  # unknown: the loop on line 57

caught = []
for i in range(3_000_000):
    try:
        caught.append(100 // (i - 2_000_000))
    except ZeroDivisionError:
        pass
caught_many = len(caught)  # unknown: the loop on line 64

cleared = []
for i in range(3_000_000):
    cleared.clear()
    cleared.append(i)
cleared_many = len(cleared)  # value: 1
