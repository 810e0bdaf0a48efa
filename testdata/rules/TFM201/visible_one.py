import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices([gpus[0]], "GPU")
tf.compat.v1.disable_eager_execution()
total = tf.constant(1.0) + 2.0
with tf.compat.v1.Session() as session:  # want "without memory growth"
    print(session.run(total))
