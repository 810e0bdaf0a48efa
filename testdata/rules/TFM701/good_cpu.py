import os
from multiprocessing import Process

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import tensorflow as tf


def work():
    tf.ones(1)


if __name__ == "__main__":
    tf.zeros(1)
    Process(target=work).start()
