"""TensorFlow 1.15 has all of these."""
import tensorflow as tf

gpus = tf.config.experimental.list_physical_devices("GPU")
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        return tape


data = tf.data.Dataset.range(3).prefetch(tf.data.experimental.AUTOTUNE)
