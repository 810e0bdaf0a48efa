# rule: TFM301
# raises: Invalid input shape
# keras: 3
import numpy as np
import tensorflow as tf

features = np.ones((8, 4), "float32")
labels = np.ones((8, 1), "float32")
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(8)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(dataset, epochs=1)
