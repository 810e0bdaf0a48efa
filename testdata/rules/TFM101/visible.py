"""TensorFlow takes the memory of the GPUs that the program shows it."""
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[0], "GPU")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "^information: Memory growth is not set: from here TensorFlow takes nearly all memory of visible GPUs\.$"
model.compile("sgd", "mse")
model.fit(x, y)
