from multiprocessing import Process

import tensorflow as tf


def train():
    tf.keras.models.load_model("a").fit(data)


def evaluate():
    tf.keras.models.load_model("a").evaluate(data)


if __name__ == "__main__":
    if mode == "train":
        worker = Process(target=train)
    else:
        worker = Process(target=evaluate)
    worker.start()
