import tensorflow as tf

point = tf.Variable([0., 0., 0.], dtype=tf.float64)  # want "This is created in float64"
origins = tf.constant(load(), tf.float64)  # want "This is created in float64"
