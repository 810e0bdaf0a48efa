"""The library that the cases build things with: what tiny_test.go models."""

WIDTH = 64


class Tensor:
    def __init__(self, shape):
        self.shape = shape

    def __add__(self, other):
        assert not isinstance(other, Tensor) or other.shape == self.shape
        return Tensor(self.shape)

    __radd__ = __add__


def Input(shape):
    return Tensor(shape)


class Layer:
    trainable = True

    def __init__(self, name=None):
        if name is not None:
            self.name = name

    @property
    def layers(self):
        return [k for k, v in self.__dict__.items() if isinstance(v, Dense)]

    def __call__(self, *args, **kwargs):
        return self.call(*args, **kwargs)


class Dense:
    def __init__(self, units, activation=None):
        self.units = units

    def __call__(self, x):
        return Tensor(x.shape[:-1] + (self.units,))


def fit(*args, **kwargs):
    return None
