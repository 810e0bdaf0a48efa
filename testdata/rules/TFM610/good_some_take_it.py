import tensorflow as tf
import tf_keras

tf.keras.mixed_precision.set_global_policy("mixed_float16")
old = tf_keras.Sequential([tf_keras.Input((32,)), tf_keras.layers.Dense(10)])
new = tf.keras.Sequential([tf.keras.Input((32,)), tf.keras.layers.Dense(10)])
