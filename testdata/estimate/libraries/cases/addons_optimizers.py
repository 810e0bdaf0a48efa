# The optimizers of TensorFlow Addons, a training each.
import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa


def train(optimizer):
    model = tf.keras.Sequential([
        tf.keras.Input((512,)),
        tf.keras.layers.Dense(1024, activation="relu"),
        tf.keras.layers.Dense(768, activation="relu"),
        tf.keras.layers.Dense(10),
    ])
    model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(np.zeros((512, 512), "float32"), np.zeros(512, "int32"), batch_size=64)


train(tfa.optimizers.AdamW(weight_decay=1e-4))
train(tfa.optimizers.SGDW(weight_decay=1e-4, momentum=0.9))
train(tfa.optimizers.LazyAdam())
train(tfa.optimizers.ProximalAdagrad())
