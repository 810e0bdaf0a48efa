import os
from multiprocessing import Process

import tensorflow as tf


def train():
    tf.keras.models.load_model("model.keras").fit(data)


if __name__ == "__main__":
    for gpu in "0", "1":
        os.environ["CUDA_VISIBLE_DEVICES"] = gpu
        Process(target=train).start()
