# A call that runs one of several functions runs each of them in a branch of its own.
import sys
from functools import partial
from os import putenv as mark

import tensorflow as tf


def a(x=0):
    mark("A", "")


def b(x=0):
    mark("B", "")


@tf.function
def compiled():
    a()


class Worker:
    def __init__(self, fast):
        if fast:
            self.work = self.quick
        else:
            self.work = self.slow

    def quick(self):
        mark("QUICK", "")

    def slow(self):
        mark("SLOW", "")

    def pick(self, other=False):
        if other:
            return self.slow, 1
        return self.quick, 2

    def run(self):
        self.work()
        chosen, _ = self.pick()
        chosen()


def call(f):
    f()


def perhaps(f):
    f()


flag = len(sys.argv) > 1
either = a if flag else b
either()  # both
(a if True else b)()  # only A
(a if flag or not False else b)()  # only A
(a if flag and None else b)()  # only B
(compiled if flag else b)()  # whether B is compiled is not certain
by_name = {"a": a, "b": partial(b, 1)}
by_name[sys.argv[1]]()  # both
by_name["b"]()  # only B
changed = {"a": a}
changed["a"] = len
changed["a"]()  # nothing is known
for f in (a, b):
    f()
call(a)
call(b)
perhaps(a)
perhaps(unknown)
{"a": a, "other": unknown}[flag]()
Worker(False).run()


def later(first):
    if flag:
        f = a
    elif first and not True:
        f = b
    else:
        f = a
    f()


later(True)  # only A
