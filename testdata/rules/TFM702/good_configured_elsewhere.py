from multiprocessing import Process

import tensorflow as tf

from .devices import setup_gpus


def train():
    setup_gpus()
    tf.keras.models.load_model("model.keras").fit(data)


if __name__ == "__main__":
    for _ in range(4):
        Process(target=train).start()
