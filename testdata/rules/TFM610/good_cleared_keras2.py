# keras: 2.15
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
tf.keras.backend.clear_session()
model = tf.keras.Sequential([tf.keras.Input((32,)), tf.keras.layers.Dense(1)])
