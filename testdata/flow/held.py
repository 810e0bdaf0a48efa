# What is taken out of a list or dict is of the class of all that is put there.
from os import putenv as mark


class A:
    def step(self):
        mark("A", "")


class B:
    def step(self):
        mark("B", "")

    def __call__(self):
        mark("CALLED", "")


class Holder:
    def __init__(self):
        self.all = []
        self.mixed = [A()]
        self.all.append(B())
        self.mixed.append(B())

    def run(self):
        self.all[0].step()
        self.mixed[0].step()  # one or the other


def make():
    return A()


by_name = {"a": A(), "b": make()}
by_name["a"].step()
one = by_name["b"]
one.step()
grown = []
for i in range(3):
    grown.append(B())
grown[-1].step()
grown[0]()
grown[1:].step()  # a list has none
items = {}
for i in range(3):
    items[i] = A()
for item in items.values():
    item.step()
for key, item in items.items():
    item.step()
    key.step()
for key in items:
    key.step()
for i, item in enumerate([B() for _ in range(3)]):
    item.step()
several = [A(), B()]
several[0].step()
more = [A()]
more.extend(others)
more[0].step()
while node:
    node = node.children[0]
    node.step()
Holder().run()
