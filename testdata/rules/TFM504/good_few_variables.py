# Few models of unknown size, and models that are small together.
import tensorflow as tf

for fold in range(5):
    tf.keras.backend.clear_session()
    net = tf.keras.Sequential([tf.keras.layers.Dense(64)])
    net.compile("adam", "mse")
    net.fit(x, y)
for seed in range(30):
    tf.keras.backend.clear_session()
    net = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(64)])
    net.compile("adam", "mse")
    net.fit(x, y)
