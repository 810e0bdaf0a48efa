import multiprocessing

import tensorflow.compat.v1 as tf


def work(item):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=0.25)
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
        return session.run(graph(item))


def alone(item):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=0.8)
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
        return session.run(graph(item))


if __name__ == "__main__":
    pool = multiprocessing.Pool(4)
    pool.map(work, items)
    single = multiprocessing.Pool(1)
    single.map(alone, items)
    many = multiprocessing.Pool(processes=count)
    many.map(alone, items)
