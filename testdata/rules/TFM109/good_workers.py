import os
from multiprocessing import get_context
import tensorflow as tf


def work(n):
    import tensorflow as tf
    print(tf.constant(n))


if __name__ == "__main__":
    count = len(tf.config.list_physical_devices("GPU"))
    for n in range(count):
        os.environ["CUDA_VISIBLE_DEVICES"] = str(n)
        get_context("spawn").Process(target=work, args=(n,)).start()
