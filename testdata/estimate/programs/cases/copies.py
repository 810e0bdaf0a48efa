"""Models that are copied, saved and loaded."""

import os
import tempfile

import keras
import numpy as np
import tensorflow as tf
from keras import layers

os.chdir(tempfile.mkdtemp())


def network(actions):
    frames = keras.Input((84, 84, 4))
    x = layers.Conv2D(32, 8, strides=4, activation="relu")(frames)
    x = layers.BatchNormalization()(x)
    x = layers.Conv2D(64, 4, strides=2, activation="relu")(x)
    x = layers.Flatten()(x / 2.0)
    return keras.Model(frames, layers.Dense(actions)(x))


online = network(6)
target = keras.models.clone_model(online)
sequence = keras.Sequential([keras.Input((12, 5)), layers.Bidirectional(layers.LSTM(7)), layers.Dense(3)])
slow = keras.models.clone_model(sequence)


class Agent(keras.Model):
    """Two networks of the same kind: twice the weights."""

    def __init__(self, online, target):
        super().__init__()
        self.online, self.target = online, target
        self.target.trainable = False


agent = Agent(online, target)


class Moving(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.Sequential([keras.Input((9,)), layers.Dense(4), layers.LayerNormalization()])
        self.average = keras.models.clone_model(self.inner)

    def train_step(self, data):
        return {}


moving = Moving()


class Scaled(layers.Layer):
    def __init__(self, factor, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor
        self.dense = layers.Dense(11)

    def call(self, x):
        return self.factor * self.dense(x)

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


data = keras.Input((8,))
scaled = keras.Model(data, Scaled(2.0)(data))
scaled.save("scaled.keras")
loaded = keras.models.load_model("scaled.keras", custom_objects={"Scaled": Scaled})
pair = keras.Sequential([keras.Input((8,)), loaded, layers.Dense(2)])

keras.config.enable_unsafe_deserialization()
image = keras.Input((16, 16, 3))
mixed = keras.Model(image, layers.Conv2D(5, 3)(layers.Lambda(lambda x: x[:, ::2] * 2.0)(image)))
mirrored = keras.models.clone_model(mixed)

windows = keras.utils.timeseries_dataset_from_array(np.zeros((200, 6), "float32"), np.zeros((200, 1), "float32"), sequence_length=24, batch_size=16)
for batch in windows.take(1):
    first, wanted = batch
forecast_input = keras.Input((first.shape[1], first.shape[2]))
forecast = keras.Model(forecast_input, layers.Dense(wanted.shape[-1])(layers.LSTM(10)(forecast_input)))
images, labels = next(iter(tf.data.Dataset.from_tensor_slices((np.zeros((64, 20, 20, 1), "float32"), np.zeros((64, 3)))).batch(8)))
told = keras.Sequential([keras.Input(images.shape[1:]), layers.Flatten(), layers.Dense(labels.shape[1])])
