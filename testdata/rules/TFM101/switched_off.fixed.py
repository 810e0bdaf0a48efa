import os

USE_GPU = True

if not USE_GPU:
    os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow as tf

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

if not USE_GPU:
    print(tf.test.gpu_device_name())


def train(x, y):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
    model.compile("sgd", "mse")
    model.fit(x, y)


train([[1.0]], [[1.0]])
