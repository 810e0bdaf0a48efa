# device: 24 GiB
# The limit is a number however it is written: behind names, computed, the default of an option.
import argparse

import tensorflow as tf

GIB = 1024
LIMITS = {"small": 4 * GIB, "large": 20 * GIB}

parser = argparse.ArgumentParser()
parser.add_argument("--limit", type=int, default=1 << 12)
args = parser.parse_args()


def limit_to(gpu, mib, share=1):
    tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=int(mib * share))])


first, second, third = tf.config.list_physical_devices("GPU")
limit_to(first, LIMITS["small"])
tf.config.set_logical_device_configuration(second, [tf.config.LogicalDeviceConfiguration(memory_limit=args.limit)])
tf.config.set_logical_device_configuration(third, [tf.config.LogicalDeviceConfiguration(memory_limit=GIB * 4)])
model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=40)  # want "TensorFlow can use 4\.00 GiB"
