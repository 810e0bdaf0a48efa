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
    workers = [mp.Process(target=train, args=(i,)) for i in range(3)]  # want "warning: tf.zeros\(\) on line 15 has initialised TensorFlow's devices, and mp.Process\(\) forks this process \(Python's choice on Linux before 3.14\): train, which runs in the new one, finds them unusable on line 10 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs"
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
