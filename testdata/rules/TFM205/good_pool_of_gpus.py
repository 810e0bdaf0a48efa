import multiprocessing
import os

import tensorflow.compat.v1 as tf


def work(item):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(item % 4)
    options = tf.GPUOptions(per_process_gpu_memory_fraction=0.9)
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
        return session.run(graph(item))


if __name__ == "__main__":
    pool = multiprocessing.Pool(4)
    pool.map(work, items)
