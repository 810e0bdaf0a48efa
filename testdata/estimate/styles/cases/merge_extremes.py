import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

inputs = layers.Input((64, 64, 8))
stem = layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
heads = [layers.Conv2D(32, 3, padding="same", activation="tanh")(stem) for _ in range(6)]
a = layers.Maximum()(heads)
b = layers.Average()(heads)
c = layers.Multiply()(heads[:3])
x = layers.Subtract()([layers.Add()([a, b]), c])
x = layers.Conv2D(16, 1)(x)
model = tf.keras.Model(inputs, x)
model.compile("adam", tf.keras.losses.Huber(), jit_compile=False)
model.fit(np.random.rand(32, 64, 64, 8), np.random.rand(32, 64, 64, 16), batch_size=8)
