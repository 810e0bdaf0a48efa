# Dataclasses, named tuples, enumerations, namespaces.
import dataclasses
import enum
from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar, List, NamedTuple


@dataclass
class Config:
    name: str
    batch: int = 32
    sizes: List[int] = field(default_factory=lambda: [8, 16])
    count: ClassVar[int] = 0
    total: int = field(init=False, default=0)

    def __post_init__(self):
        self.total = sum(self.sizes)


@dataclass
class Big(Config):
    batch: int = 64
    extra: float = 0.5


a = Config("x")  # value: Config(name='x', batch=32, sizes=[8, 16], total=24)
b = Big("y", extra=1.0)  # value: Big(name='y', batch=64, sizes=[8, 16], total=24, extra=1.0)
c = dataclasses.asdict(a)  # value: {'name': 'x', 'batch': 32, 'sizes': [8, 16], 'total': 24}
d = Config("z", 8).batch  # value: 8 # lit: 8
e = dataclasses.replace(Config("q", 4, [1]), batch=2) if False else Config.batch  # value: 32 # lit: 32
f = Config("a") == Config("a"), Config("a") == Config("b")  # value: (True, False)

Point = namedtuple("Point", "x y")
p = Point(1, y=2)
px, py = p
g = p.x + p[1] + px + py + len(p)  # value: 8
h = p._replace(x=5)._asdict()  # value: {'x': 5, 'y': 2}
i = str(p)  # value: 'Point(x=1, y=2)'


class Pair(NamedTuple):
    left: int
    right: int = 3


j = Pair(1).right + Pair(1)[0]  # value: 4
k = list(Pair(7))  # value: [7, 3]


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = enum.auto()


l = Color.RED.value, Color.GREEN.name, Color("red") is Color.RED, Color["GREEN"].value  # value: ('red', 'GREEN', True, 'green')
m = [c.name for c in Color], len(Color), Color.RED == Color.GREEN  # value: (['RED', 'GREEN'], 2, False)
n = Size.LARGE + 1, Size.LARGE > Size.SMALL, 16 * Size.LARGE  # value: (3, True, 32)
attributes = list(vars(Color.RED))[:2]  # value: ['_value_', '_name_']
table = {Color.RED: 8, Color.GREEN: 16}
o = table[Color("green")]  # value: 16

ns = SimpleNamespace(depth=3, width=4)
ns.width *= 2
q = ns.depth * ns.width  # value: 24
counts = defaultdict(list)
counts["a"].append(1)
counts["a"].append(2)
r = dict(counts)  # value: {'a': [1, 2]}
s = list(OrderedDict([("z", 1), ("a", 2)]))  # value: ['z', 'a']


class Loaded(Config):
    @classmethod
    def read(cls, d):
        known = {f.name for f in dataclasses.fields(cls) if f.init}
        return cls(**{k: v for k, v in d.items() if k in known})


known_a = [(f.name, f.default) for f in dataclasses.fields(Config)][:2][1]  # value: ('batch', 32)
known_b = [f.name for f in dataclasses.fields(b)]  # value: ['name', 'batch', 'sizes', 'total', 'extra']
known_c = Loaded.read({"name": "n", "batch": 5, "other": 1}).batch  # value: 5
known_d = hasattr(dataclasses.fields(a)[0], "default") and dataclasses.is_dataclass(a), dataclasses.is_dataclass(Config), dataclasses.is_dataclass(3)  # value: (True, True, False)
known_e = dataclasses.fields(Config)[0].default is dataclasses.MISSING  # value: True
