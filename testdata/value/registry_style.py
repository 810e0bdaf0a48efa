# Registries, factories and configurations that choose what is built.
from tinylib import Dense, Input, Layer

REGISTRY = {}


def register(name=None):
    def decorate(cls):
        key = name or cls.__name__.lower()
        assert key not in REGISTRY
        REGISTRY[key] = cls
        return cls
    return decorate


class Builder(Layer):
    defaults = {"units": 4, "repeat": 1}

    def __init__(self, **config):
        super().__init__(name=config.pop("name", None))
        merged = dict(self.defaults)
        merged.update(config)
        for key, value in merged.items():
            setattr(self, key, value)
        self.build()

    def build(self):
        raise NotImplementedError

    @classmethod
    def from_config(cls, config):
        return cls(**config)


@register()
class Plain(Builder):
    def build(self):
        self.stack = [Dense(self.units) for _ in range(self.repeat)]

    def call(self, x):
        for layer in self.stack:
            x = layer(x)
        return x


@register("wide")
class Wide(Plain):
    defaults = {**Plain.defaults, "units": 32}

    def build(self):
        super().build()
        self.stack.append(Dense(self.units * 2))


def create(kind, **overrides):
    try:
        cls = REGISTRY[kind]
    except KeyError:
        raise ValueError(f"unknown {kind}")
    return cls.from_config(overrides)


a = sorted(REGISTRY)  # value: ['plain', 'wide']
b = [layer.units for layer in create("plain", repeat=2).stack]  # value: [4, 4]
c = create("wide", name="w")(Input((3,))).shape  # value: (64,)
d = create("wide", name="w").name, Wide.defaults["units"], Plain.defaults["units"]  # value: ('w', 32, 4)
e = {k: v().stack[-1].units for k, v in REGISTRY.items()}  # value: {'plain': 4, 'wide': 64}
