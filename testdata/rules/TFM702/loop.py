import multiprocessing as mp

import tensorflow as tf


def train(fold):
    model = tf.keras.models.load_model(f"fold{fold}.keras")
    model.fit(load(fold))


def main():
    workers = []
    for fold in range(5):
        worker = mp.Process(target=train, args=(fold,))  # want "warning: These processes share the GPU without a memory limit\. Each iteration of the loop on line 13 starts another process\. Each uses TensorFlow \(train, on line 7\) and reserves nearly all free memory of every visible GPU, so the first leaves none to the others\. Set a memory limit in each worker\.$"
        worker.start()
        workers.append(worker)
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
