"""A layer that becomes part of no model is the first use itself."""
import tensorflow as tf

lookup = tf.keras.layers.Embedding(10, 4)
vectors = lookup(tf.constant([1, 2]))  # want "Memory growth is not set"
model = tf.keras.models.load_model("model.keras")
model.predict(vectors)
