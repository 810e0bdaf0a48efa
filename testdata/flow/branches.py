# Conditions: an event runs whenever another under the same condition does.
from os import putenv as mark
from typing import TYPE_CHECKING


def f():
    mark("F", "")
    if x:
        mark("F_IF", "")


if mark("TEST", ""):
    mark("IF", "")
    f()
elif mark("ELIF_TEST", ""):
    mark("ELIF", "")
else:
    mark("ELSE", "")
if True:
    mark("TRUE", "")
if False:
    mark("FALSE", "")
else:
    mark("NOT_FALSE", "")
if TYPE_CHECKING:
    mark("TYPES", "")
if not TYPE_CHECKING:
    mark("NOT_TYPES", "")
if TYPE_CHECKING or not True:
    mark("NEITHER", "")
if x or True:
    mark("EITHER", "")
if 0 or None:
    mark("NONE", "")
if not (x and False):
    mark("NOT_BOTH", "")
match mark("SUBJECT", ""):
    case 1:
        mark("CASE", "")
    case 2 if mark("GUARD", ""):
        mark("GUARDED", "")
    case _:
        mark("OTHER", "")
mark("LEFT", "") and mark("RIGHT", "")
mark("A", "") if mark("B", "") else mark("C", "")
assert mark("ASSERT", "")
(lambda: mark("LAMBDA", ""))()
unused = lambda: mark("UNUSED", "")
used = lambda: mark("USED", "")
used()
del x[mark("DEL", "")]
x[mark("TARGET", "")] = mark("VALUE", "")
f"{mark('INTERPOLATED', '')}"
