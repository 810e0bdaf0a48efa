# ram: 12 GiB
# The windows are views of the series; the array of them is not.
import numpy as np
import tensorflow as tf

series = np.ones((1_000_000, 30))
windows = []
for i in range(len(series) - 100):
    windows.append(series[i : i + 100])
x = np.array(windows)  # want "The program takes at least 44\.9 GiB of the machine's own memory\. The machine has 12\.0 GiB"
model = tf.keras.Sequential([tf.keras.Input((100, 30)), tf.keras.layers.LSTM(8), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, np.ones(len(x)), batch_size=64)
