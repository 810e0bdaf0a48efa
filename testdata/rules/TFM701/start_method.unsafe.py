import multiprocessing as mp

import tensorflow as tf


def evaluate(x):
    return tf.square(x)


if __name__ == "__main__":
    mp.set_start_method('spawn')
    tf.print("start")
    with mp.Pool(2) as pool:  # want "mp\.Pool\(\) forks this process after TensorFlow has initialised its devices\."
        pool.map(evaluate, [1.0, 2.0])
