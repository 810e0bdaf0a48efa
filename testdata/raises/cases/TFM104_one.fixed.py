# rule: TFM104
# raises: ValueError: Memory growth cannot differ between GPU devices
# gpus: 2
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
print(tf.constant(1))
