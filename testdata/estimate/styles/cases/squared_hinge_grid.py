import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model, Input

inp = Input(shape=(96, 96, 3))
h = layers.Conv2D(16, 3, padding="same", activation="elu")(inp)
h = layers.Conv2D(16, 3, padding="same", dilation_rate=2, activation="elu")(h)
out = layers.Conv2D(24, 1)(h)
model = Model(inp, out)
model.compile("sgd", loss=tf.keras.losses.SquaredHinge(), jit_compile=False)

def gen():
    for _ in range(8):
        yield np.random.rand(96, 96, 3).astype("float32"), np.sign(np.random.randn(96, 96, 24)).astype("float32")

ds = tf.data.Dataset.from_generator(gen, output_signature=(
    tf.TensorSpec((96, 96, 3), tf.float32), tf.TensorSpec((96, 96, 24), tf.float32))).batch(4, drop_remainder=True)
model.fit(ds, epochs=1)
