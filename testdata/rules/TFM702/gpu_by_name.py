import multiprocessing as mp
import tensorflow as tf


def work(i):
    with tf.device("/GPU:0"):
        return tf.reduce_sum(tf.random.normal([1000, 1000])).numpy()


if __name__ == "__main__":
    with mp.Pool(processes=4) as pool:  # want "These processes share the GPU without a memory limit\. mp\.Pool\(\) starts 4 processes\. Each uses TensorFlow \(work, on line 6\) and reserves nearly all free memory of every visible GPU, so the first leaves none to the others\. Set a memory limit in each worker\.$"
        pool.map(work, range(4))
