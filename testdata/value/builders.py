# Functions and classes that build with a library.
import tinylib
from tinylib import Dense, Input

LAYERS = [64, 32]


def block(x, units, repeat=1, residual=False):
    for _ in range(repeat):
        y = Dense(units)(x)
        if residual and y.shape == x.shape:
            y = y + x
        x = y
    return x


def build(shape=(8,), layers=None, out=tinylib.WIDTH):
    layers = layers or LAYERS
    x = Input(shape)
    for i, units in enumerate(layers):
        x = block(x, units, repeat=i + 1, residual=True)
    return Dense(out)(x)


a = build().shape  # value: (64,)
b = build((4, 3), [5], out=2).shape  # value: (4, 2)


class Net(tinylib.Layer):
    def __init__(self, units, depth=2, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.first = Dense(units)
        self.blocks = [Dense(units * (i + 1)) for i in range(depth)]
        for i in range(depth):
            setattr(self, f"extra_{i}", Dense(i + 1))
        self.last = Dense(1)

    def call(self, x, training=False):
        x = self.first(x)
        for layer in self.blocks:
            x = layer(x)
        for i in range(len(self.blocks)):
            x = getattr(self, f"extra_{i}")(x)
        return x if training else self.last(x)


class Wide(Net):
    def __init__(self):
        Net.__init__(self, 100, name="wide")

    def call(self, x):
        return super().call(x, training=True)


net = Net(16, name="net")
c = net(Input((3, 7))).shape  # value: (3, 1)
d = net.layers  # value: ['first', 'extra_0', 'extra_1', 'last']
e = net(Input((3, 7)), training=True).shape  # value: (3, 2)
f = Wide()(Input((9,))).shape, Wide().name, Wide().units  # value: ((2,), 'wide', 100)
net.first.units = 5
g = net.trainable  # value: True
net.trainable = False
h = net.trainable  # value: False
i = [layer.units for layer in net.blocks]  # value: [16, 32]
REGISTRY = {"small": dict(units=4, depth=1), "large": {"units": 8, "depth": 3}}
nets = {name: Net(**config) for name, config in REGISTRY.items()}
j = {name: len(n.blocks) for name, n in nets.items()}  # value: {'small': 1, 'large': 3}


def factory(kind):
    builders = {"dense": lambda: Dense(3), "net": lambda: Net(2)}
    return builders[kind]()


k = factory("dense")(Input((1, 1))).shape  # value: (1, 3)
l = type(factory("net")).__name__  # value: 'Net'
layer_types = {"dense": Dense}
m = layer_types["dense"](9).units  # value: 9
n = isinstance(net, Net), isinstance(net, tinylib.Layer)  # value: (True, True)
