# Which calls of make() give an argument of print what it is or has, by their lines, and whether it
# exists before the iteration.
before = make()
pairs = []
pairs.append((make(), "b"))
shared = []
table = {"a": make()}
many = [make() for n in names]


def same(x):
    return x


def two():
    return make(), [make()]


class Holder:
    def __init__(self):
        self.x = make()

    def renew(self):
        self.x = make()
        print(self)  # objects: nothing


class Kept:
    def __init__(self):
        self.x = make()


holder = Holder()
kept = Kept()
for i, (x, name) in enumerate(pairs):
    new = make()
    print(before)  # objects: 3 earlier
    print(new)  # objects: 36 new
    print(same(before))  # objects: 3 earlier
    print([new, *table])  # objects: 36 new, 7 earlier
    print(table.get(i))  # objects: 7 earlier
    print(x)  # objects: 5 earlier
    print(many[i])  # objects: 8 earlier
    own = {}
    own[i] = make()
    print(list(own.values()))  # objects: 45 new
    shared.append(make())  # it outlives the iteration
    print(shared)  # objects: 47 earlier
    first, rest = two()
    print(first)  # objects: 16 new
    print(rest + [before])  # objects: 16 new, 3 earlier
    holder.renew()
    print(holder.x)  # objects: 24 new
    print(kept.x)  # objects: 30 earlier
    print(Kept().x)  # objects: 30 new
    print(new.x)  # objects: nothing
    print(before.shape())  # objects: nothing
    print(unknown)  # objects: nothing
for a in [make(), make()]:
    print(a)  # objects: 59 earlier, 59 earlier
    a = a
    b = [a]
    b.append(b)
    print(b)  # objects: 59 earlier, 59 earlier
