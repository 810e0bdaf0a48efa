# Datasets of arrays hold them as they are, for as long as the datasets live.
import numpy as np
import tensorflow as tf
from tensorflow import keras

ROWS = 1_000
x = np.zeros((ROWS, 4096))
y = np.zeros((ROWS, 8), "float32")
train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(16)
test = tf.data.Dataset.from_tensor_slices((x[: ROWS // 2].astype("float32"), y[: ROWS // 2])).batch(16)
model = keras.Sequential([keras.Input((4096,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(train, epochs=2, validation_data=test)
del train
model.evaluate(test)
