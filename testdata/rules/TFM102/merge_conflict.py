# No fix moves code across what does not parse: here it would land in one side of the conflict.
import tensorflow as tf

<<<<<<< HEAD
x = tf.constant(1)
=======
x = tf.constant(2)
>>>>>>> branch
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "has already initialised"
