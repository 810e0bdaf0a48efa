# What libraries do with their own functions and classes.
import collections
import dataclasses
import importlib
import inspect
import random


class Config:
    def __init__(self, given=None):
        self.given = given


@dataclasses.dataclass
class Block(Config):
    filters: int = 8
    repeats: int = 1


@dataclasses.dataclass
class Own(Config):
    filters: int = 8

    def __init__(self, filters):
        self.filters = filters + 1


class Below(Block):
    pass


def conv(filters, kernel=3, *, strides=1):
    return filters * kernel * strides


class Made:
    def build(self, shape):
        return shape


a = Block(filters=16, repeats=2).filters, Below(32).filters, Own(1).filters  # value: (16, 32, 2)
b = "strides" in inspect.signature(conv).parameters, list(inspect.signature(Made().build).parameters)  # value: (True, ['shape'])
c = globals()["conv"](2, strides=2)  # value: 12
d = [key for key in inspect.signature(conv).parameters]  # value: ['filters', 'kernel', 'strides']

# Modules that are imported by a text.
floor = importlib.import_module("math").floor(3.7)  # value: 3
ceiling = __import__("math").ceil(3.2)  # value: 4
separator = __import__("os.path").path.sep  # value: '/'
join = __import__("os.path", fromlist=["join"]).join("a", "b")  # value: 'a/b'
mapping = importlib.import_module(".abc", package="collections").Mapping is collections.abc.Mapping  # value: True
seeded = random.seed(3)  # value: None
