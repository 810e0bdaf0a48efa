"""Pictures of a folder: names that glob finds are read, decoded, resized and batched for a compiled step."""

import glob
import os
import tempfile

import tensorflow as tf
from tensorflow import keras

folder = tempfile.mkdtemp()
for i in range(64):
    tf.io.write_file(os.path.join(folder, "%d.jpg" % i), tf.io.encode_jpeg(tf.zeros((72, 72, 3), tf.uint8)))


def load(name):
    picture = tf.image.decode_jpeg(tf.io.read_file(name), channels=3)
    picture = tf.image.resize(picture, [64, 64])
    return tf.cast(picture, tf.float32) / 127.5 - 1


names = sorted(glob.glob(os.path.join(folder, "*.jpg")))
data = tf.data.Dataset.from_tensor_slices(names).map(load).shuffle(64).batch(16, drop_remainder=True).repeat(4)
model = keras.Sequential(
    [
        keras.Input((64, 64, 3)),
        keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        keras.layers.Conv2D(3, 3, padding="same", activation="tanh"),
    ]
)
optimizer = keras.optimizers.Adam(2e-4, beta_1=0.5)


@tf.function
def train_step(pictures):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(pictures - model(pictures, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for pictures in data:
    train_step(pictures)
