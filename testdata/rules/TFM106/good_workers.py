import multiprocessing

import tensorflow as tf


def first():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def second():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    context.Process(target=first).start()
    context.Process(target=second).start()
