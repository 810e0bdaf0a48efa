import tensorflow as tf

one = tf.zeros(1)
two = one
print(two)  # origins: tf.zeros(1)
print((one))  # origins: tf.zeros(1)
print(one if input() else 2)  # origins: tf.zeros(1), 2
print((three := one))  # origins: tf.zeros(1)
print(one + 1)  # origins: one + 1
a, (b, c) = 1, (2, 3)
print(c)  # origins: 3
first, *rest = [1, 2]
print(first)  # origins: 1
print(rest)  # origins: unknown
table = {"a": [10, 20], "b": one}
print(table["a"][1])  # origins: 20
print(table["a"][-1])  # origins: 20
key = "b"
print(table[key])  # origins: tf.zeros(1)
print(table["c"])  # origins: unknown
changed = {"a": 1}
changed["a"] = 2
print(changed["a"])  # origins: changed
listed = [1, 2]
listed.append(3)
print(listed[0])  # origins: listed
total = [0]
taken = [1, 2]
total += taken
taken.append(3)
print(taken[0])  # origins: taken


def grow(names, more):
    names.append(more)


def look(names):
    return names[0]


given = [1, 2]
grow(given, 3)
print(given[0])  # origins: given
seen = [1, 2]
look(seen)
grow([], seen)
print(seen[0])  # origins: 1
joined = (1, 2) + ([3] + [4])
print(joined[3])  # origins: 4
print(joined[-4])  # origins: 1
print(joined[5])  # origins: unknown
print(joined[1:][2])  # origins: 4
print(list(joined)[2])  # origins: 3

with tf.device("/GPU:0") as device:
    print(device)  # origins: tf.device("/GPU:0")

for item in [1, 2]:
    print(item)  # origins: item

total = 0
total += 1
print(total)  # origins: total += 1

value = 1
while input():
    value = value
    value = (value)
print(value)  # origins: 1


def function(x, y=5, *args, **kwargs):
    print(x)  # origins: 1, "s"
    print(y)  # origins: 5, 6
    print(args)  # origins: (1), ("s", 6)
    if x:
        return x, y
    return 0, 0


print(function(1)[0])  # origins: 1, 0
print(function("s", 6)[1])  # origins: 6, 0


def never(x=3):
    print(x)  # origins: x


def recursive(n):
    if n:
        return recursive(n - 1)
    return one


print(recursive(3))  # origins: tf.zeros(1)


def generator():
    yield 1
    return 2


print(generator())  # origins: generator()


class Holder:
    limit = 9

    def __init__(self, inner):
        self.inner = inner
        self.list = []

    def put(self, x):
        self.list.append(x)
        print(x)  # origins: 1, unknown
        return self

    def get(self):
        return self.inner


held = Holder(one)
print(held.inner)  # origins: tf.zeros(1)
print(held.limit)  # origins: 9
print(held.get())  # origins: tf.zeros(1)
print(held.list[0])  # origins: held.list
held.put(1)
anything.put(2)
print(missing)  # origins: missing
print(lambda: 1)  # origins: lambda: 1
make = lambda x: x
print(make(7))  # origins: 7
