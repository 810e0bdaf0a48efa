# device: 24 GiB
"""Each of the workers gets its part; what the loop starts is counted."""
from multiprocessing import Process

import tensorflow as tf


def play():
    """Plays."""
    import random
    model = tf.keras.models.load_model("actor")
    model.fit(receive(random.random()))


def learn():
    model = tf.keras.models.load_model("learner")
    model.fit(receive())


if __name__ == "__main__":
    actor = Process(target=play)
    learner = Process(target=learn)  # want "memory_limit=\d+ for each of 2"
    actor.start()
    learner.start()
    actor.join()
    learner.join()
