"""The default strategy computes on a GPU."""
import tensorflow as tf

strategy = tf.distribute.get_strategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
    model.compile("adam", "mse")
model.fit(x, y)
