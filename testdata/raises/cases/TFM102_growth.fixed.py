# rule: TFM102
# raises: RuntimeError: Physical devices cannot be modified after being initialized
# gpus: 2
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

weights = tf.Variable(tf.zeros([10, 10]))
