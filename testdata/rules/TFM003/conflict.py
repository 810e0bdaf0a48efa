import tensorflow as tf

<<<<<<< HEAD  # want "This is not valid Python"
x = tf.constant(1)
=======  # want "This is not valid Python"
x = tf.constant(2)
>>>>>>> branch  # want "This is not valid Python"
