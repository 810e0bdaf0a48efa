import multiprocessing
import os
from multiprocessing import Pool, Process

import numpy as np
import tensorflow as tf


def train():
    import tensorflow as tf
    tf.keras.Sequential([tf.keras.layers.Dense(1)]).fit(data)


def resize(image):
    return np.resize(image, (32, 32))


def step(x):
    # Under a graph of its own nothing is initialised before a session is opened.
    with tf.Graph().as_default():
        return tf.square(x).name


if __name__ == "__main__":
    # Only the worker uses TensorFlow, so far.
    worker = Process(target=train)
    worker.start()
    pool = Pool(4)
    worker.join()
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.predict(np.ones((1, 1)))
    # These were forked before.
    pool.map(train, range(4))
    # Workers that need no GPU may be forked at any time.
    with Pool(4) as preparing:
        preparing.map(resize, images)
        preparing.map(step, images)
        preparing.map(unknown, images)
    Process(target=os.getpid).start()
    multiprocessing.Process().start()


def maybe(eager):
    if eager:
        tf.zeros(1)
    Process(target=train).start()
