# device: 4 GiB
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import tensorflow as tf

inputs = tf.keras.Input((64,), dtype="int32")
x = tf.keras.layers.Embedding(3_000_000, 512)(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.GlobalAveragePooling1D()(x))
