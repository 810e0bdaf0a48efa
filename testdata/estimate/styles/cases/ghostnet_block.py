import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class GhostModule(layers.Layer):
    """Half of the maps by a convolution, the rest by cheap depthwise ones."""

    def __init__(self, out, ratio=2, kernel=1, dw=3, relu=True, **kwargs):
        super().__init__(**kwargs)
        self.out = out
        init = int(np.ceil(out / ratio))
        self.primary = keras.Sequential([layers.Conv2D(init, kernel, padding="same", use_bias=False),
                                         layers.BatchNormalization()])
        self.cheap = keras.Sequential([layers.DepthwiseConv2D(dw, padding="same", use_bias=False,
                                                             depth_multiplier=ratio - 1),
                                       layers.BatchNormalization()])
        self.relu = relu

    def call(self, x, training=None):
        a = self.primary(x, training=training)
        if self.relu:
            a = tf.nn.relu(a)
        b = self.cheap(a, training=training)
        if self.relu:
            b = tf.nn.relu(b)
        return tf.concat([a, b], axis=-1)[..., : self.out]


def hard_sigmoid(x):
    return tf.nn.relu6(x + 3.0) / 6.0


class GhostBottleneck(layers.Layer):
    def __init__(self, mid, out, stride=1, use_se=False, **kwargs):
        super().__init__(**kwargs)
        self.mid, self.out, self.stride, self.use_se = mid, out, stride, use_se

    def build(self, shape):
        self.ghost1 = GhostModule(self.mid)
        if self.stride > 1:
            self.dw = layers.DepthwiseConv2D(3, strides=self.stride, padding="same", use_bias=False)
            self.bn = layers.BatchNormalization()
        if self.use_se:
            self.gap = layers.GlobalAveragePooling2D()
            self.fc1 = layers.Dense(self.mid // 4, activation="relu")
            self.fc2 = layers.Dense(self.mid, activation=hard_sigmoid)
        self.ghost2 = GhostModule(self.out, relu=False)
        self.identity = self.stride == 1 and shape[-1] == self.out
        if not self.identity:
            self.sc_dw = layers.DepthwiseConv2D(3, strides=self.stride, padding="same", use_bias=False)
            self.sc_bn1 = layers.BatchNormalization()
            self.sc_pw = layers.Conv2D(self.out, 1, use_bias=False)
            self.sc_bn2 = layers.BatchNormalization()
        super().build(shape)

    def call(self, x, training=None):
        y = self.ghost1(x, training=training)
        if self.stride > 1:
            y = self.bn(self.dw(y), training=training)
        if self.use_se:
            s = self.fc2(self.fc1(self.gap(y)))
            y = y * s[:, None, None, :]
        y = self.ghost2(y, training=training)
        if not self.identity:
            x = self.sc_bn1(self.sc_dw(x), training=training)
            x = self.sc_bn2(self.sc_pw(x), training=training)
        return x + y


model = keras.Sequential([
    keras.Input((64, 64, 3)),
    layers.Conv2D(16, 3, 2, "same", use_bias=False),
    layers.BatchNormalization(),
    layers.ReLU(),
    GhostBottleneck(16, 16),
    GhostBottleneck(48, 24, 2),
    GhostBottleneck(72, 24),
    GhostBottleneck(72, 40, 2, True),
    GhostBottleneck(120, 40, 1, True),
    layers.GlobalAveragePooling2D(),
    layers.Dense(64, activation="relu"),
    layers.Dense(20, activation="softmax"),
])
model.compile(optimizer="nadam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
x = np.random.rand(128, 64, 64, 3).astype("float32")
y = np.random.randint(0, 20, (128,))
model.fit(x, y, batch_size=32, epochs=1)
