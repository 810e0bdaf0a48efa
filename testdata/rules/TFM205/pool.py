import multiprocessing

import tensorflow.compat.v1 as tf


def work(item):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=0.5)  # want "warning: These 4 processes request 2 times the GPU's memory in total\. Each takes this fraction, the pool is created on line 13, and later processes get less than their share\. Use a fraction of at most 0\.25 for each\.$"
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
        return session.run(graph(item))


if __name__ == "__main__":
    pool = multiprocessing.Pool(4)
    pool.map(work, items)
