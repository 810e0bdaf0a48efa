import tensorflow as tf

# Let memory grow.
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "error: tf.Variable\(\) on line 4 has already initialised .*RuntimeError: Physical devices"

# The weights.
weights = tf.Variable([1.0, 2.0])
print("made the weights")


print(weights)
