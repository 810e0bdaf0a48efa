# device: 24 GiB
from multiprocessing import Process

import tensorflow as tf

FOLDS = 4


def train(fold):
    model = tf.keras.models.load_model("fold")
    model.fit(load(fold))


if __name__ == "__main__":
    workers = [Process(target=train, args=(fold,)) for fold in range(FOLDS)]  # want "memory_limit=\d+ for each of 4"
    for worker in workers:
        worker.start()
