import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tensorflow as tf
import tf_keras

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = tf_keras.Sequential([tf_keras.Input((32,)), tf_keras.layers.Dense(10)])
tf_keras.backend.clear_session()
