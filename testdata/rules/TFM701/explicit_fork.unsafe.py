import multiprocessing

import tensorflow as tf


def evaluate(queue):
    queue.put(float(tf.reduce_sum(tf.random.normal([10]))))


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    print(tf.constant(1))
    queue = context.Queue()
    context.Process(target=evaluate, args=(queue,)).start()  # want "context\.Process\(\) forks this process after TensorFlow has initialised its devices\. tf\.constant\(\) on line 12 has initialised them: evaluate, which runs in the new process, finds them unusable on line 7 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Spawn the process instead\.$"
