# device: 4 GiB
import tensorflow as tf

with tf.device("/CPU:0"):
    data = tf.data.Dataset.from_tensor_slices(x).batch(8)
inputs = tf.keras.Input((64,), dtype="int32")
x = tf.keras.layers.Embedding(3_000_000, 512)(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.GlobalAveragePooling1D()(x))  # want "The weights of this model are 5\.72 GiB"
model.predict(data)
