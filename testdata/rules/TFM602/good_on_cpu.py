# device: 4 GiB
import tensorflow as tf

inputs = tf.keras.Input((64,), dtype="int32")
with tf.device("/CPU:0"):
    embedding = tf.keras.layers.Embedding(3_000_000, 512)
x = embedding(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.GlobalAveragePooling1D()(x))
model.predict(x)
