import multiprocessing

import tensorflow as tf


def train(seed):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(load(seed))


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=train, args=(i,)) for i in range(4)]  # want "information: These processes share the GPU without a memory limit\. Each iteration of the loop on line 16 starts another process\. Each uses TensorFlow \(train, on line 10\) with memory growth, which limits nothing: what they need adds up on the GPU\. Set a memory limit in each worker\.$"
    for worker in workers:
        worker.start()
