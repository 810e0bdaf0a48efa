import multiprocessing as mp
import tensorflow as tf


def work(i):
    with tf.device("/GPU:0"):
        return tf.reduce_sum(tf.random.normal([1000, 1000])).numpy()


if __name__ == "__main__":
    with mp.Pool(processes=4) as pool:  # want "mp.Pool\(\) starts 4 processes: each uses TensorFlow \(work, on line 6\)"
        pool.map(work, range(4))
