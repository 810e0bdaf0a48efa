# What does not parse costs only itself.
from os import putenv as mark
print >>f, "python 2"
mark("A", "")
x = = 3
mark("B", "")


def f():
    mark("C", "")
    return self.


f()
mark("D", ""
