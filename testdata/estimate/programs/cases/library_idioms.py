"""How libraries of models write theirs: layers that build their parts themselves, policies, registries."""
import collections
import inspect

import keras
import numpy as np
from keras import layers, ops

REGISTRY = {}


def register(cls):
    REGISTRY[cls.__name__.lower()] = cls
    return keras.saving.register_keras_serializable(package="idioms")(cls)


class Stage(collections.namedtuple("Stage", ["width", "depth", "drop"])):
    __slots__ = ()

    def __new__(cls, width, depth=1, drop=0.0):
        return super().__new__(cls, width, depth, drop)


@register
class Affine(layers.Layer):
    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=(input_shape[-1],), initializer="ones")
        self.offset = self.add_weight(name="offset", shape=(input_shape[-1],))

    def call(self, x):
        return x * self.scale + self.offset


class Feed(layers.Layer):
    """Builds its parts itself, as the layers of a policy of their own."""

    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.hidden = layers.Dense(width, dtype=self.dtype_policy)
        self.affine = Affine(dtype=self.dtype_policy)
        self.input_spec = layers.InputSpec(min_ndim=2)

    def build(self, input_shape):
        self.hidden.build(input_shape)
        shape = self.hidden.compute_output_shape(input_shape)
        self.affine.build(shape)
        self.back = layers.Dense(input_shape[-1])
        self.back.build(shape)

    def call(self, x):
        x = self.back(self.affine(self.hidden(x)))
        return self.extra(x) if hasattr(self, "extra") else x


class Cross(layers.Layer):
    """Keras passes its build the shapes of the arguments by their names."""

    def build(self, left_shape, right_shape=None):
        self.left = layers.Dense(8)
        if right_shape is not None:
            self.right = layers.Dense(8)

    def call(self, left, right=None):
        left = self.left(left)
        return left if right is None else left + self.right(right)


class Attend(layers.Layer):
    def __init__(self, heads, **kwargs):
        super().__init__(**kwargs)
        self.heads = heads
        self.choose = layers.Softmax()

    def build(self, shape):
        width = shape[-1] // self.heads
        self.query, self.key, self.value = (layers.EinsumDense("abc,cde->abde", (None, n, width), bias_axes="de") for n in (self.heads, 2, 2))
        self.out = layers.EinsumDense("abde,dec->abc", (None, shape[-1]))

    def call(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        x = self.out(ops.dot_product_attention(q, k, v, is_causal=True))
        scores = ops.matmul(x, ops.moveaxis(x, (1, 2), (2, 1)))
        return ops.matmul(self.choose(scores, mask=ops.greater(scores, 0.0)), x)


class Windows(layers.Layer):
    """Images in windows, and back: the rows of a window are not the batch."""

    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        self.size = size
        self.inside = layers.Dense(6)

    def call(self, x):
        batch, height, width, channels = ops.shape(x)
        n = self.size
        x = ops.reshape(x, (batch, height // n, n, width // n, n, channels))
        x = ops.reshape(ops.transpose(x, (0, 1, 3, 2, 4, 5)), (-1, n, n, channels))
        x = self.inside(x)
        rows = ops.shape(x)[0] // (height // n * (width // n))
        x = ops.reshape(x, (rows, height // n, width // n, n, n, -1))
        return ops.reshape(ops.transpose(x, (0, 1, 3, 2, 4, 5)), (rows, height, width, 6))


@register
class Holder(keras.Model):
    """A functional model that holds more than its graph has."""

    def __init__(self, stages, **kwargs):
        backbone = keras.Sequential([keras.Input((12,))] + [layers.Dense(s.width) for s in stages])
        x = inputs = keras.Input((12,))
        x = keras.Model(backbone.inputs, backbone.layers[0].output)(x)
        super().__init__(inputs, layers.Dense(3)(layers.Concatenate()([x])), **kwargs)
        self.backbone = backbone


def repeated(x, times, width):
    return ops.concatenate([x[..., :width]] * times)


stages = [Stage(16), Stage(24, depth=2)._replace(drop=0.1)]
x = i = keras.Input((6, 12))
x = Feed(20)(x)
x = Cross()(left=x, right=i)
x = Attend(4)(x)
x = layers.Lambda(repeated, arguments={"times": 3, "width": 4})(x)
made_by = x._keras_history.operation
rates = np.split(np.linspace(0, 1, sum(s.depth for s in stages)), np.cumsum([s.depth for s in stages]))
if "training" in inspect.signature(layers.BatchNormalization().call).parameters and keras.version().startswith("3."):
    x = layers.Dense(10 * len(rates[1]), name=made_by.name + "_out")(x)
sequence = keras.Model(i, x)

images = keras.Input((8, 8, 5))
windows = keras.Model(images, layers.Dense(2)(Windows(4)(images)))

held = REGISTRY["holder"](stages)

where = keras.Input((6, 1), dtype="int32")
taken = keras.Model([i, where], layers.Dense(7)(ops.slice_update(ops.take_along_axis(i, where, axis=-1), (0, 0, 0), i[:, :2, :1])))
