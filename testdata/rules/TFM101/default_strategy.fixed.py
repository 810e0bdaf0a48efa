"""The default strategy computes on a GPU."""
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

strategy = tf.distribute.get_strategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
    model.compile("adam", "mse")
model.fit(x, y)
