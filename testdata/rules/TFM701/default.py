import multiprocessing as mp

import tensorflow as tf
from tensorflow import keras


def train(seed):
    keras.utils.set_random_seed(seed)
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile('sgd', 'mse')
    model.fit(load(seed))


if __name__ == '__main__':
    weights = tf.Variable(tf.zeros([10, 10]))
    workers = [mp.Process(target=train, args=(i,)) for i in range(3)]  # want "warning: mp\.Process\(\) forks this process after TensorFlow has initialised its devices\. tf\.zeros\(\) on line 15 has initialised them: train, which runs in the new process, finds them unusable on line 10 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Python forks by default on Linux before 3\.14\. Spawn the process instead\.$"
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
