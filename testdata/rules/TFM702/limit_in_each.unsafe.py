# device: 24 GiB
"""Each of the workers gets its part; what the loop starts is counted."""
from multiprocessing import Process

import tensorflow as tf


def play():
    """Plays."""
    import random
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=10152)])
    model = tf.keras.models.load_model("actor")
    model.fit(receive(random.random()))


def learn():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=10152)])
    model = tf.keras.models.load_model("learner")
    model.fit(receive())


if __name__ == "__main__":
    actor = Process(target=play)
    learner = Process(target=learn)  # want "memory_limit=\d+ for each of 2"
    actor.start()
    learner.start()
    actor.join()
    learner.join()
