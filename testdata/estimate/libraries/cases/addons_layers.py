# Layers and activations of TensorFlow Addons, a training each.
import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa


def activate(function):
    x = inputs = tf.keras.Input((256,))
    for _ in range(4):
        x = tf.keras.layers.Dense(256, activation=function)(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(10)(x))
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(np.zeros((4096, 256), "float32"), np.zeros(4096, "int32"), batch_size=1024)


activate(tfa.activations.gelu)
activate(tfa.activations.snake)
activate(tfa.activations.hardshrink)
activate(tfa.activations.softshrink)
activate(tfa.activations.tanhshrink)

x = inputs = tf.keras.Input((32, 32, 16))
x = tf.keras.layers.Conv2D(32, 3, padding="same")(x)
x = tfa.layers.InstanceNormalization()(x)
x = tf.keras.layers.ReLU()(x)
x = tf.keras.layers.Conv2D(32, 3, padding="same")(x)
x = tfa.layers.GroupNormalization(groups=8)(x)
x = tf.keras.layers.ReLU()(x)
x = tf.keras.layers.Conv2D(32, 3, padding="same")(x)
x = tfa.layers.FilterResponseNormalization()(x)
x = tfa.layers.TLU()(x)
x = tfa.layers.AdaptiveAveragePooling2D((8, 8))(x)
x = tfa.layers.SpatialPyramidPooling2D([1, 2, 4])(x)
x = tf.keras.layers.Flatten()(x)
x = tf.keras.layers.Dense(256)(x)
x = tfa.layers.Maxout(64)(x)
x = tfa.layers.NoisyDense(32)(x)
x = tfa.layers.PolynomialCrossing()((x, x))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(10)(x))
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((128, 32, 32, 16), "float32"), np.zeros(128, "int32"), batch_size=16)
