# Decorators of the program, and of Python.
import contextlib
import functools
from abc import ABC, abstractmethod

log = []


def traced(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        log.append(f.__name__)
        return f(*args, **kwargs)
    return wrapper


def times(n):
    def decorate(f):
        return lambda *a: f(*a) * n
    return decorate


@traced
def one(x):
    return x + 1


@times(3)
@traced
def two(x):
    return x


a = one(1), two(2), log  # value: (2, 6, ['one', 'two'])


class Shape(ABC):
    @abstractmethod
    def area(self):
        ...

    @functools.cached_property
    def doubled(self):
        return self.area() * 2


class Square(Shape):
    def area(self):
        return 4


b = Square().doubled  # value: 8


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


c = fib(12)  # value: 144


@contextlib.contextmanager
def scope(name):
    yield name + "!"


with scope("x") as d:
    pass
e = d  # value: 'x!'


class Counted:
    def __init__(self, f):
        self.f = f
        self.n = 0

    def __call__(self, *args):
        self.n += 1
        return self.f(*args)


@Counted
def three():
    return 3


three()
f = three() + three.n  # value: 5
