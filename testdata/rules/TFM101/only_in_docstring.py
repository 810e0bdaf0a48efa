"""Call tf.config.experimental.set_memory_growth(gpu, True) before this runs."""
import tensorflow as tf

# tf.config.experimental.set_memory_growth(gpus[0], True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
