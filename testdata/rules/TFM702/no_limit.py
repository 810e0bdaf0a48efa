# device: 24 GiB
"""How many workers there are is not known, or they set growth, which does not go with a limit."""
from multiprocessing import Process

import tensorflow as tf


def train(fold):
    model = tf.keras.models.load_model("fold")
    model.fit(load(fold))


if __name__ == "__main__":
    workers = [Process(target=train, args=(fold,)) for fold in folds]  # want "Set a memory limit in each worker\.$"
    for worker in workers:
        worker.start()
