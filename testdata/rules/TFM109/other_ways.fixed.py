import os
from os import environ
environ["CUDA_VISIBLE_DEVICES"] = "0"  # want "on line 5"

import tensorflow as tf

tf.config.list_physical_devices()


def again():
    os.environ.update(CUDA_VISIBLE_DEVICES="1")  # want "on line 10"

    tf.config.list_physical_devices()
    os.putenv("CUDA_VISIBLE_DEVICES", "2")  # want "on line 10"
