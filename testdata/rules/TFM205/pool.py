import multiprocessing

import tensorflow.compat.v1 as tf


def work(item):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=0.5)  # want "warning: Each of the 4 processes of line 13 takes this part of the GPU: together 2 times its memory, .* The fraction is at most 0\.25 for each\."
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
        return session.run(graph(item))


if __name__ == "__main__":
    pool = multiprocessing.Pool(4)
    pool.map(work, items)
