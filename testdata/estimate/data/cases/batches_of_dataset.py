import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

ROWS = 1_000
x = np.zeros((ROWS, 28, 28, 1), "float32")
ds = tf.data.Dataset.from_tensor_slices(x).batch(5)
model = keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(32, 3)])
out = model.predict(ds)
