from multiprocessing import Process

import tensorflow.compat.v1 as tf


def train():
    options = tf.GPUOptions(per_process_gpu_memory_fraction=0.2)
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
        session.run(build())


if __name__ == "__main__":
    for _ in range(4):
        Process(target=train).start()
