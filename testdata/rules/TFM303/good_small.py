import numpy as np
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
train = tf.data.Dataset.from_tensor_slices((x_train / 255.0, y_train)).batch(32)
model.fit(x_train, y_train)
tf.data.Dataset.from_tensor_slices(np.random.rand(1000, 28, 28))
tf.data.Dataset.from_tensor_slices([1, 2, 3])
tf.data.Dataset.from_tensor_slices(np.zeros((100, 1000, 2000), dtype="int32"))
tf.data.Dataset.from_tensor_slices(np.load("large.npy"))
tf.data.Dataset.from_tensor_slices(np.zeros((unknown, 1000, 2000)))
tf.data.Dataset.range(1 << 40).batch(8)
