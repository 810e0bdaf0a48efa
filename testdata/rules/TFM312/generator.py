# A new generator for each epoch (keras-team/keras#3912).
import numpy as np
import tensorflow as tf


def batches(x, y, size=32):
    while True:
        at = np.random.randint(0, len(x), size)
        yield x[at], y[at]


model = tf.keras.models.load_model("start.keras")
for epoch in range(150):
    x = np.load(f"part{epoch % 10}.npy")
    g = batches(x / 255.0, np.load("labels.npy"))
    model.fit(g, steps_per_epoch=100)  # want "Each generator that fit\(\) takes in the loop on line 13 stays"
