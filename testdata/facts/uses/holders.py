# What still has the object that a call of make() returns when the iteration ends.
kept = []
table = {}


def same(x, other=None):
    return x


def pair():
    return make(), 2  # holders: kept


def shelve(x):
    kept.append(x)


shelf = []


def put(x):
    shelf.append(x)


def bind():
    global newest
    newest = make()  # holders: newest


def listed():
    return [make()]  # holders: kept


class Holder:
    def __init__(self, x):
        self.x = x
        self.all = []

    def add(self, x):
        self.all.append(x)
        return self.x


holder = Holder(None)
for i in range(3):
    a = make()  # holders: nothing
    kept.append(make())  # holders: kept
    table[i] = make()  # holders: table
    kept += [make()]  # holders: kept
    own = []
    own.append(make())  # holders: nothing
    more = [make(), 1]  # holders: kept
    kept.extend(more)
    kept.extend(make())  # holders: nothing
    table["all"].append(make())  # holders: table["all"]
    kept.append(same(make()))  # holders: kept
    same(2, make())  # holders: nothing
    first, second = pair()
    kept.append(first)
    first, second = 1, make()  # holders: nothing
    kept.append(first)
    shelve(make())  # holders: kept
    put(make())  # holders: shelf
    new = Holder(make())  # holders: kept
    kept.append(new)
    alone = Holder(make())  # holders: nothing
    holder.x = make()  # holders: holder.x
    holder.add(make())  # holders: self.all
    unknown([make()])  # holders: unknown([make()])
    unknown(make())  # holders: nothing
    b = c = make()  # holders: kept
    kept.append(c if i else None)
    bind()
    x = listed()
    kept.append(x[0])
    kept.append(lambda: make())  # holders: nothing


def generate():
    while True:
        yield make()  # holders: yield make()
