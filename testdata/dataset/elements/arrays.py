# What is known of arrays goes through to the elements.
import numpy as np
import tensorflow as tf
from tensorflow import keras

N = 1000

(x, y), (x_test, y_test) = keras.datasets.cifar10.load_data()
ds = tf.data.Dataset.from_tensor_slices((x, y))  # elements: 32x32x3 uint8, 1 uint8  # count: 50000  # batch: none
ds = tf.data.Dataset.from_tensor_slices(x_test / 255.0)  # elements: 32x32x3 float64  # count: 10000
ds = tf.data.Dataset.from_tensor_slices((x / 127.5 - 1).astype("float32"))  # elements: 32x32x3 float32
ds = tf.data.Dataset.from_tensor_slices(x - 127.5)  # elements: 32x32x3 float64
ds = tf.data.Dataset.from_tensor_slices({"image": x[:500], "label": y[:500, 0]})  # elements: 32x32x3 uint8, uint8  # count: 500
ds = tf.data.Dataset.from_tensor_slices(np.zeros((N, 64, 64, 3), dtype=np.float32))  # elements: 64x64x3 float32  # count: 1000
ds = tf.data.Dataset.from_tensor_slices(np.random.randint(0, 9, size=(N,)))  # elements: int64  # count: 1000
ds = tf.data.Dataset.from_tensor_slices(np.full((N, 2), 7))  # elements: 2 int64
ds = tf.data.Dataset.from_tensor_slices(np.concatenate([x, x_test], axis=0))  # elements: 32x32x3 uint8  # count: 60000
ds = tf.data.Dataset.from_tensor_slices(np.concatenate((x, x), -1))  # elements: 32x32x6 uint8  # count: 50000
ds = tf.data.Dataset.from_tensor_slices(tf.one_hot(y[:, 0], 10))  # elements: 10 float32
ds = tf.data.Dataset.from_tensor_slices(keras.utils.to_categorical(y, 10))  # elements: 10 float64
ds = tf.data.Dataset.from_tensor_slices([1, 2, 3])  # elements: int64  # count: 3
ds = tf.data.Dataset.from_tensor_slices((x, load()))  # elements: 32x32x3 uint8, ?  # count: 50000
ds = tf.data.Dataset.from_tensor_slices((load(), y))  # elements: ?  # count: ?
ds = tf.data.Dataset.from_tensor_slices((x, load())).map(lambda a, b: (tf.image.resize(a, (8, 8)), b)).shuffle(9).batch(16)  # elements: 8x8x3 float32, ?  # batch: 16
ds = tf.data.Dataset.from_tensor_slices((x, load())).batch(16).map(lambda a, b: (a / 2, b))  # elements: 32x32x3 float32, ?  # batch: 16
ds = tf.data.Dataset.from_tensor_slices((x, load())).map(lambda a, b: (b, a))  # elements: ?
ds = tf.data.Dataset.from_tensor_slices(((x, y), load())).padded_batch(4)  # elements: 32x32x3 uint8, 1 uint8, ?  # batch: 4
ds = tf.data.Dataset.from_tensor_slices(np.load("x.npy"))  # elements: ?
ds = tf.data.Dataset.from_tensor_slices(np.zeros((unknown, 3)))  # elements: 3 float64  # count: ?
ds = tf.data.Dataset.from_tensor_slices(np.random.normal(size=(unknown, 3)))  # elements: 3 float64  # count: ?
ds = tf.data.Dataset.from_tensor_slices(np.zeros((3, unknown)))  # elements: ?
ds = tf.data.Dataset.from_tensor_slices(np.zeros(unknown))  # elements: ?
ds = tf.data.Dataset.from_tensors((x, y))  # elements: 32x32x3 uint8, 1 uint8  # batch: 50000  # count: 1
x = x.astype("float32")
x /= 255
ds = tf.data.Dataset.from_tensor_slices(x)  # elements: 32x32x3 float32
x = x.reshape(-1, 3072)
ds = tf.data.Dataset.from_tensor_slices(x)  # elements: 3072 float32
if flag:
    x = x[..., None]
ds = tf.data.Dataset.from_tensor_slices(x)  # elements: ?
texts = keras.utils.pad_sequences(open("a.txt").read().split(), maxlen=100)
order = np.arange(texts.shape[0])
np.random.shuffle(order)
ds = tf.data.Dataset.from_tensor_slices(texts[order][:200])  # elements: 100 int32
