# Classes that add to a named tuple, as descriptions of columns and blocks do.
from collections import namedtuple
from typing import NamedTuple


class Column(namedtuple("Column", ["name", "size", "width", "group"])):
    __slots__ = ()

    def __new__(cls, name, size, width=4, group="all"):
        if width == "auto":
            width = 6 * int(pow(size, 0.25))
        return super(Column, cls).__new__(cls, name, size, width, group)

    @property
    def cells(self):
        return self.size * self.width

    def __hash__(self):
        return self.name.__hash__()


class Wide(Column):
    def doubled(self):
        return self._replace(width=self.width * 2)


class Block(NamedTuple):
    filters: int
    repeats: int = 2

    def layers(self):
        return self.filters * self.repeats


class Deep(Block):
    kind: str = "deep"


a = Column("a", 10000, "auto")
b = a.width, a.cells, a.group  # value: (60, 600000, 'all')
c = a._replace(name="c").name, a._replace(width=1).cells  # value: ('c', 10000)
name, *others = a
d = name, others  # value: ('a', [10000, 60, 'all'])
e = Column._make(["e", 2, 3, "g"]).cells  # value: 6
f = Wide("f", 5).doubled().cells  # value: 40
g = [column.width for column in (a, Column(size=16, name="g")) if isinstance(column, tuple)]  # value: [60, 4]
h = Deep(32).layers(), len(Deep(32)), Deep._fields  # value: (64, 2, ('filters', 'repeats'))
i = {a: 1}[Column("a", 10000, 60)]  # value: 1
