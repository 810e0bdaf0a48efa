import tensorflow as tf

print(tf.__version__)
print(tf.test.is_gpu_available())

# Let the GPUs' memory grow.
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)  # want "too late"


with tf.device("/gpu:0"):
    a = tf.constant(2.0)
    print(a * a)
