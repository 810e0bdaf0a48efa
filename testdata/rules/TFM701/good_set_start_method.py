import multiprocessing as mp

import tensorflow as tf


def work(x):
    return tf.square(x)


def main():
    tf.zeros(1)
    with mp.Pool(2) as pool:
        pool.map(work, [1.0, 2.0])


if __name__ == "__main__":
    mp.set_start_method("spawn", force=True)
    main()
