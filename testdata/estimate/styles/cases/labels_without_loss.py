# Two of three outputs have a loss; fit is given labels for all.
import numpy as np
import tensorflow as tf
L = tf.keras.layers
i = tf.keras.Input((64, 64, 3))
h = L.Conv2D(32, 3, activation="relu", padding="same")(i)
p = L.Conv2D(16, 3, padding="same")(h)
q = L.Dense(10)(L.GlobalAveragePooling2D()(h))
r = L.Dense(4)(L.GlobalMaxPooling2D()(h))
m = tf.keras.Model(i, [p, q, r])
m.compile("adam", loss=[None, "mse", "mae"])
x = np.zeros((256, 64, 64, 3), "float32")
m.fit(x, [np.zeros((256, 64, 64, 16), "float32"), np.zeros((256, 10), "float32"), np.zeros((256, 4), "float32")], batch_size=32)
