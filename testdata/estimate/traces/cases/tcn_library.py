import numpy as np
import tensorflow as tf
from tcn import TCN

model = tf.keras.Sequential([tf.keras.Input((200, 8)), TCN(64, kernel_size=3, dilations=(1, 2, 4, 8), use_skip_connections=True), tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(np.zeros((64, 200, 8), "float32"), np.zeros((64, 1), "float32"), batch_size=32, epochs=1)
