import multiprocessing

import tensorflow as tf
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"


def job(seed):
    print(tf.random.stateless_normal([8], [seed, 0]))


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "warning: .*other processes that use TensorFlow as well, on line 7"
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
for i in range(4):
    multiprocessing.Process(target=job, args=(i,)).start()
