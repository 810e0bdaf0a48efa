import multiprocessing

import tensorflow as tf


def strategy_of(address):
    if address:
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver(address)
        return tf.distribute.TPUStrategy(resolver)
    return tf.distribute.get_strategy()


def train(seed):
    with strategy_of(None).scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    model.fit(load(seed))


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=train, args=(i,)) for i in range(4)]  # want "These processes share the GPU without a memory limit\."
    for worker in workers:
        worker.start()
