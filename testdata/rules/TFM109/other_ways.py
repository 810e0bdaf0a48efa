import os
from os import environ
import tensorflow as tf

tf.config.list_physical_devices()
environ["CUDA_VISIBLE_DEVICES"] = "0"  # want "on line 5"


def again():
    tf.config.list_physical_devices()
    os.environ.update(CUDA_VISIBLE_DEVICES="1")  # want "on line 10"
    os.putenv("CUDA_VISIBLE_DEVICES", "2")  # want "on line 10"
