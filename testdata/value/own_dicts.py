# Dictionaries whose keys are attributes, written by hand.
class Dotted(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    @staticmethod
    def wrap(d):
        return Dotted({k: Dotted.wrap(v) if isinstance(v, dict) else v for k, v in d.items()})


class Gentle(dict):
    __getattr__ = dict.get


class Written(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


class Deep(dict):
    def __getattr__(self, key):
        v = self[key]
        return Deep(v) if isinstance(v, dict) else v

    def __setattr__(self, key, value):
        self[key] = value


c = Dotted.wrap({"model": {"hidden": [3, 4], "rate": 0.5}, "batch": 32})
a = c.model.hidden[1] + c.batch  # value: 36
c.batch = 64
b = c["batch"], c.batch, len(c), sorted(c), "model" in c  # value: (64, 64, 2, ['batch', 'model'], True)
d = Gentle(x=1).x, Gentle().y  # value: (1, None)
e = Written(x=2, y=3).x + Written({"x": 5})["x"]  # value: 7
f = Deep({"a": {"b": 9}}).a.b  # value: 9
g = dict.get({"k": 1}, "k"), dict.fromkeys("ab", 0), list.index([4, 5], 5), str.upper("ab")  # value: (1, {'a': 0, 'b': 0}, 1, 'AB')
h = list(map(str.strip, [" a", "b "])), sorted("bA", key=str.lower)  # value: (['a', 'b'], ['A', 'b'])
i = {**c.model}["rate"]  # value: 0.5
w = Written(units=8)
w.depth = 2
j = w["depth"] * w.units  # value: 16


class Settings:
    def __init__(self, **kwargs):
        self.rate = 0.1
        self.__dict__.update(kwargs)


class Params:
    def __init__(self, d):
        for k, v in d.items():
            self.__dict__[k] = v
        vars(self)["extra"] = len(d)


class Replaced:
    def __init__(self, d):
        self.__dict__ = d


k = Settings(rate=0.5, units=4)
l = k.rate, k.units, sorted(k.__dict__)  # value: (0.5, 4, ['rate', 'units'])
m = Params({"a": 1, "b": 2})
n = m.a + m.b + m.extra  # value: 5
k.__dict__.pop("rate")
o = hasattr(k, "rate"), getattr(k, "rate", 7)  # value: (False, 7)
p = Replaced({"depth": 5}).depth  # value: 5


class Counter(dict):
    def __missing__(self, key):
        return 0

    def __getitem__(self, key):
        return dict.__getitem__(self, key) * 2


class Stack(list):
    def push(self, *items):
        for item in items:
            self.append(item)
        return self

    @property
    def top(self):
        return self[-1]


q = Counter(a=3)["a"]  # value: 6
s = Stack([1]).push(2, 3)
t = s.top, len(s), sum(s), [x for x in s], s[1:], 3 in s, bool(Stack()), s == [1, 2, 3]  # value: (3, 3, 6, [1, 2, 3], [2, 3], True, False, True)


def make(units=1, **rest):
    return units, rest


u = make(**Dotted(units=6, depth=2))  # value: (6, {'depth': 2})
v = isinstance(c, dict), isinstance(s, list), isinstance(s, dict)  # value: (True, True, False)
x = dict(Dotted(a=1), b=2), list(Dotted(a=1).items()), Dotted(a=1) | {"b": 3}  # value: ({'a': 1, 'b': 2}, [('a', 1)], {'a': 1, 'b': 3})
import copy
kept = Gentle(model=Gentle(rate=0.5))
y = copy.deepcopy(kept)
y.model["rate"] = 1.5
z = y.model["rate"], kept.model["rate"]  # value: (1.5, 0.5)
import dataclasses


@dataclasses.dataclass(frozen=True)
class Frozen:
    width: int = 4

    def __post_init__(self):
        object.__setattr__(self, "double", self.width * 2)


aa = Frozen(3).double  # value: 6
