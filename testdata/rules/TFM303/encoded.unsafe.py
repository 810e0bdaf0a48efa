"""As many rows as a data set of Keras has, filled one by one."""
import numpy as np
from tensorflow import keras
from tensorflow.keras.datasets import imdb
import tensorflow as tf

(train_data, train_labels), (test_data, test_labels) = imdb.load_data(num_words=10000)


def vectorize(sequences, dimension=10000):
    results = np.zeros((len(sequences), dimension))
    for i, sequence in enumerate(sequences):
        for j in sequence:
            results[i, j] = 1.0
    return results


x_train = vectorize(train_data)
few = np.zeros((len(train_data), 100))
model = keras.Sequential([keras.layers.Dense(16), keras.layers.Dense(1)])
model.compile("rmsprop", "mse")
model.fit(few, train_labels, epochs=4, batch_size=512)
with tf.device("/CPU:0"):
    train_batches = tf.data.Dataset.from_tensor_slices((x_train, train_labels)).shuffle(len(x_train)).batch(512)
model.fit(train_batches, epochs=4)  # want "fit\(\) copies its arrays whole to the GPU: 954 MiB"
