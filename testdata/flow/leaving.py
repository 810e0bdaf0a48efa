# What follows a branch that leaves runs only where that was not taken.
import sys
from os import putenv as mark


def setup(gpus):
    mark("ALWAYS", "")
    if not gpus:
        mark("NONE", "")
        return
    mark("SOME", "")


def checked(x):
    if not x:
        raise ValueError(mark("ARGUMENT", ""))
    mark("CHECKED", "")
    return x
    mark("UNREACHED", "")


def nested(x):
    for i in range(3):
        if i:
            if x:
                return
            mark("DEEP", "")
        mark("TURN", "")
    mark("AFTER_LOOP", "")


def both(x):
    if x:
        return 1
    else:
        return 2
    mark("UNREACHED", "")


setup([])
checked(1)
nested(1)
both(1)
mark("MODULE", "")
if len(sys.argv) > 5:
    sys.exit("usage")
mark("AFTER_EXIT", "")
sys.exit(mark("EXIT", ""))
mark("UNREACHED", "")
