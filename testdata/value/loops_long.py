# Loops that are too long to follow, one after the other: what follows them is known still.
total = 0
for i in range(100_000):
    total += i * 1 % 7
    seen = (total, i, 1)
for i in range(100_000):
    total += i * 2 % 7
    seen = (total, i, 2)
for i in range(100_000):
    total += i * 3 % 7
    seen = (total, i, 3)
for i in range(100_000):
    total += i * 4 % 7
    seen = (total, i, 4)
for i in range(100_000):
    total += i * 5 % 7
    seen = (total, i, 5)
for i in range(100_000):
    total += i * 6 % 7
    seen = (total, i, 6)
for i in range(100_000):
    total += i * 7 % 7
    seen = (total, i, 7)
for i in range(100_000):
    total += i * 8 % 7
    seen = (total, i, 8)
a = total  # unknown: too long to follow
after = [i * 2 for i in range(4)]  # value: [0, 2, 4, 6]
