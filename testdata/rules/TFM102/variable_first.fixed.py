import tensorflow as tf

# Let memory grow.
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "error: The devices are configured too late\. tf\.Variable\(\) on line 4 has already initialised the devices, so this call raises RuntimeError: Physical devices cannot be modified after being initialized\.$"

# The weights.
weights = tf.Variable([1.0, 2.0])
print("made the weights")

print(weights)
