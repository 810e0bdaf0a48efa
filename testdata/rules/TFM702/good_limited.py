import multiprocessing

import tensorflow as tf


def prepare():
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])


def train(fold):
    tf.keras.models.load_model(f"fold{fold}.keras").fit(load(fold))


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(4, initializer=prepare) as pool:
        pool.map(train, range(4))
