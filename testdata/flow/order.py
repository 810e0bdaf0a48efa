# Calls run functions where they are called, not where they are written.
from os import putenv as mark


def second():
    mark("B", "")
    third()


def first():
    mark("A", "")


def third():
    mark("C", "")


def never():
    mark("X", "")
    fourth()


def fourth():
    mark("Y", "")


mark("START", "")
first(), second()
mark("ARGUMENTS", mark("BEFORE", ""))
first(second())
mark("END", "")
