# Classes that enter themselves into a registry as they are defined.
class Base:
    registry = {}
    kinds = []
    batch = 32

    def __init_subclass__(cls, name=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Base.registry[name or cls.__name__] = cls
        cls.label = cls.__name__.lower()

    def units(self):
        return 1


class Small(Base):
    pass


class Big(Small, name="big"):
    batch = 64

    def units(self):
        return super().units() * 100


class Marked:
    @classmethod
    def __init_subclass__(cls):
        Base.kinds.append(cls.__name__)


class One(Marked):
    pass


class Two(One):
    pass


a = sorted(Base.registry)  # value: ['Small', 'big']
b = {k: (c().units(), c.batch, c.label) for k, c in Base.registry.items()}  # value: {'Small': (1, 32, 'small'), 'big': (100, 64, 'big')}
c = Base.kinds  # value: ['One', 'Two']
d = hasattr(Base, "label")  # value: False
