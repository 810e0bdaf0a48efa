# A tensor is on the GPU already: no copy is made of it, and a Dataset under the CPU does not help.
import numpy as np
import tensorflow as tf
from tensorflow.keras.applications.mobilenet_v2 import preprocess_input


def prepare(images):
    resized = tf.image.resize(images, (96, 96))
    return preprocess_input(resized)


def noise():
    return tf.random.normal((60000, 64, 64, 3))


(_, _), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("sgd", "mse")
x_test_large = prepare(x_test.astype("float32") / 255.0)
model.evaluate(x_test_large, y_test)
model.predict(x=x_test_large[:9000])

zeros = tf.zeros((60000, 64, 64, 3))
a = tf.data.Dataset.from_tensor_slices(zeros / 255.0)
constant = tf.constant(np.zeros((60000, 64, 64, 3), "float32"))
b = tf.data.Dataset.from_tensor_slices((constant, tf.zeros((60000,))))
random = noise()
c = tf.data.Dataset.from_tensor_slices(random)

ones = tf.ones((60000, 64, 64, 3))
d = tf.data.Dataset.from_tensor_slices(ones)
joined = tf.concat([ones, tf.ones_like(ones)], axis=0)
joined /= 255.0
e = tf.data.Dataset.from_tensor_slices(joined)
normal = tf.keras.random.normal((60000, 64, 64, 3))
f = tf.data.Dataset.from_tensor_slices(normal if len(y_test) else ones)
first, second = tf.split(tf.random.stateless_uniform((60000, 64, 64, 3), seed=(1, 2)), 2)
g = tf.data.Dataset.from_tensor_slices(first)
stacked = tf.keras.ops.stack([tf.fill((60000, 64, 64), 1.0)] * 3, axis=-1)
model.predict(stacked)
model.fit({"images": ones}, np.zeros((60000, 10), "float32"))


class Data:
    def __init__(self):
        self.images = tf.linalg.normalize(tf.random.uniform((60000, 64, 64, 3)))[0]

    def dataset(self):
        return tf.data.Dataset.from_tensor_slices(self.images)


def train(images):
    model.predict(images)


Data().dataset()
train(ones)
train(tf.transpose(ones, (0, 2, 1, 3)))
