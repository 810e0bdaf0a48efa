import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
gpu = 'not a GPU'
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
model.compile(optimizer='adam', loss='mse')
history = model.fit(np.ones((64, 8), 'float32'), np.ones((64, 1), 'float32'), verbose=0)  # <- here
