import numpy as np
import pandas as pd
import tensorflow as tf

# Little data, and data of which nobody knows how much there is.
(x, y), _ = tf.keras.datasets.boston_housing.load_data()
model = tf.keras.Sequential([tf.keras.layers.Input((13,)), tf.keras.layers.Dense(10), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=1000, batch_size=len(x))
table = pd.read_csv("table.csv").values
other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
other.compile("adam", "mse")
other.fit(table[:, 1:], table[:, 0], batch_size=len(table))
(images, labels), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
net = tf.keras.Sequential([tf.keras.layers.Input((32, 32, 3)), tf.keras.layers.Conv2D(32, 3), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(10)])
net.compile("adam", "mse")
net.fit(images, labels, batch_size=len(images) // 1000)
for start in range(0, len(images), 128):
    net(images[start:start + 128])
for step in range(100):
    net(images[np.random.choice(len(images), 64)])
