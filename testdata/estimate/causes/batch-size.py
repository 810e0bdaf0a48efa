import tensorflow as tf
from tensorflow import keras

m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8)])
m.compile("adam", "mse")
m.fit(tf.data.Dataset.from_tensor_slices((tf.zeros((64, 4)), tf.zeros((64, 8)))))  # cause
