import os

import tensorflow as tf

print(tf.test.gpu_device_name())
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.test.gpu_device_name\(\) on line 5"
