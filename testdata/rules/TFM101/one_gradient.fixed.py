# One derivative, to see what it is.
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

x = tf.Variable(3.0)  # want "Memory growth is not set"
with tf.GradientTape() as tape:
    y = x**2
print(tape.gradient(y, x))
