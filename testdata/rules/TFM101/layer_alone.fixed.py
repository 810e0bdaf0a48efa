"""A layer that becomes part of no model is the first use itself."""
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

lookup = tf.keras.layers.Embedding(10, 4)
vectors = lookup(tf.constant([1, 2]))  # want "Memory growth is not set"
model = tf.keras.models.load_model("model.keras")
model.predict(vectors)
