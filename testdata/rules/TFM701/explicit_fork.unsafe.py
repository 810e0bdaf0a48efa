import multiprocessing

import tensorflow as tf


def evaluate(queue):
    queue.put(float(tf.reduce_sum(tf.random.normal([10]))))


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    print(tf.constant(1))
    queue = context.Queue()
    context.Process(target=evaluate, args=(queue,)).start()  # want "tf.constant\(\) on line 12 has initialised TensorFlow's devices, and context.Process\(\) forks this process: evaluate"
