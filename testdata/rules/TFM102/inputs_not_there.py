import tensorflow as tf
import settings

x = tf.constant([1.0])
limit = settings.read(x)
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus[:limit]:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.constant\(\) on line 4"
