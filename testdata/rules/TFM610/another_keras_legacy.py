import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import keras
import tensorflow as tf
from keras import layers

tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")  # want "warning: No layer here takes this policy: all are of keras\."


def build():
    x = keras.Input((32, 32, 3))
    y = layers.Conv2D(8, 3)(x)
    return keras.Model(x, y)


build().summary()
