# Classes: attributes, inheritance, super, properties, special methods.
class Base:
    size = 3
    shared = []

    def __init__(self, n, *, scale=2):
        self.n = n
        self.scale = scale
        self.log = ["base"]

    def area(self):
        return self.n * self.scale

    @property
    def double(self):
        return self.n * 2

    @double.setter
    def double(self, v):
        self.n = v // 2

    @staticmethod
    def twice(x):
        return x * 2

    @classmethod
    def of(cls, n):
        return cls(n)

    def __call__(self, x):
        return self.n + x

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.n * i

    def __add__(self, other):
        return Base(self.n + other.n)

    def __str__(self):
        return f"Base({self.n})"


class Left(Base):
    def __init__(self, n, **kwargs):
        super().__init__(n, **kwargs)
        self.log.append("left")

    def area(self):
        return super().area() + 1


class Right(Base):
    size = 5

    def __init__(self, *args, **kwargs):
        super(Right, self).__init__(*args, **kwargs)
        self.log.append("right")


class Both(Left, Right):
    pass


o = Both(4, scale=3)
a = o.log  # value: ['base', 'right', 'left']
b = o.area(), o.size, Both.size, Base.size  # value: (13, 5, 5, 3)
o.double = 20
c = o.double, o.n  # value: (20, 10)
d = Base.twice(4), o.twice(5)  # value: (8, 10)
e = Both.of(2).area()  # value: 5
f = o(1), len(o), o[3]  # value: (11, 10, 30)
g = isinstance(o, Base), isinstance(o, (int, Right)), isinstance(3, Base), issubclass(Both, Base)  # value: (True, True, False, True)
h = [k.__name__ for k in Both.__mro__[:4]]  # value: ['Both', 'Left', 'Right', 'Base']
i = hasattr(o, "n"), hasattr(o, "missing"), getattr(o, "missing", 7)  # value: (True, False, 7)
setattr(o, "extra", 1)
j = o.extra + getattr(o, "scale")  # value: 4
k = type(o).__name__, o.__class__.__name__  # value: ('Both', 'Both')
l = (Base(1) + Base(2)).n  # value: 3
m = str(Base(7)) + f"{Base(8)}"  # value: 'Base(7)Base(8)'
Base.size = 9
n = Left.size, Right.size  # value: (9, 5)
o.shared.append(1)
p = Base.shared  # value: [1]
q = vars(Base(1))  # value: {'n': 1, 'scale': 2, 'log': ['base']}
bound = Base(6).area
r = bound()  # value: 12
class Empty: pass
e1 = Empty()
e1.x = 5
s = e1.x  # value: 5
t = bool(Base(0)), bool(e1), e1 == e1, e1 == Empty()  # value: (False, True, True, False)
class Meta:
    registry = {}
    def register(self, name):
        def decorate(cls):
            self.registry[name] = cls
            return cls
        return decorate
reg = Meta()
@reg.register("item")
class Item:
    width = 11
u = reg.registry["item"].width, Item.width  # value: (11, 11)
class Lazy:
    def __getattr__(self, name):
        return name + "!"
v = Lazy().hello  # value: 'hello!'
class Singleton:
    instance = None
    def __new__(cls, *args):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance
    def __init__(self, n):
        self.n = n
w = Singleton(1) is Singleton(2), Singleton(3).n  # value: (True, 3)
class Iterable:
    def __iter__(self):
        yield 1
        yield 2
x = list(Iterable()), [i for i in Iterable()]  # value: ([1, 2], [1, 2])
kinds = issubclass(bool, int), issubclass(str, bool), issubclass(int, bool), issubclass(str, (int, str)), issubclass(list, object), issubclass(dict, (list, tuple))  # value: (True, False, False, True, True, False)
own_types = issubclass(str, bool), issubclass(bool, int), issubclass(int, (str, float)), issubclass(dict, (list, dict)), issubclass(float, object)  # value: (False, True, False, True, True)
own_classes = issubclass(str, Base), issubclass(Base, str)  # value: (False, False)
