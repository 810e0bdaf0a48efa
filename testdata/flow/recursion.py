# Functions that call themselves and each other.
from os import putenv as mark


def factorial(n):
    mark("FACTORIAL", "")
    return factorial(n - 1)


def even(n):
    mark("EVEN", "")
    return odd(n - 1)


def odd(n):
    mark("ODD", "")
    return even(n - 1)


factorial(3)
even(3)
mark("END", "")
