# ram: 12 GiB
# What a model says of each of many pictures, kept in a list.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((128, 128, 3)), tf.keras.layers.Conv2D(512, 3, strides=4, padding="same")])
features = []
for i in range(10_000):
    picture = np.ones((1, 128, 128, 3), "float32")
    features.append(model.predict(picture, verbose=0))  # want "The program takes at least 19\.5 GiB of the machine's own memory"
np.savez("features.npz", *features)
