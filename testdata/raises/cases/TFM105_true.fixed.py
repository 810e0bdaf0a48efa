# rule: TFM105
# raises: TypeError: set_memory_growth() missing 1 required positional argument: 'enable'
# gpus: 1
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
