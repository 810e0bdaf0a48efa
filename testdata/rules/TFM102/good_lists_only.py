import tensorflow as tf

tf.random.set_seed(1)
tf.keras.mixed_precision.set_global_policy("mixed_float16")
print(tf.config.list_physical_devices("GPU"))


@tf.function
def double(x):
    return tf.multiply(x, 2)


for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
double(tf.constant(1.0))
