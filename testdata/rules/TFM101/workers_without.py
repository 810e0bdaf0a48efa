import multiprocessing

import tensorflow as tf


def job(seed):
    print(seed)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "information: .*Memory growth is not set"
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
for i in range(4):
    multiprocessing.Process(target=job, args=(i,)).start()
