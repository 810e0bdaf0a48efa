import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, Process

import tensorflow as tf


def train(fold, queue=None):
    model = tf.keras.models.load_model(f"fold{fold}.keras")
    model.fit(load(fold))


def run(fold):
    worker = Process(target=train, args=(fold,))
    worker.start()
    worker.join()


if __name__ == "__main__":
    # A process for each model gives all its memory back.
    for fold in range(5):
        worker = Process(target=train, args=(fold,))
        worker.start()
        print(os.path.join("folds", str(fold)))
        worker.join()
    for fold in range(5):
        run(fold)
    for fold in range(5):
        with Pool(1) as pool:
            pool.apply(train, (fold,))
    Pool(processes=1).map(train, range(5))
    ProcessPoolExecutor(1).map(train, range(5))
    Pool(4).apply(train, (1,))
    ProcessPoolExecutor(4).submit(train, 1)
    ProcessPoolExecutor(count).map(train, range(5))
    queue = multiprocessing.Queue()
    for fold in range(5):
        Process(target=train, args=(fold, queue)).start()
        print(queue.get())
    first = Process(target=train)
    first.start()
    first.join(timeout=None)
    second = Process(target=train)
    second.start()
