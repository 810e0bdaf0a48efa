# A version of the program's own, of its model or of Python, is not TensorFlow's.
import argparse
import sys

import tensorflow as tf
from packaging.version import parse
from tensorflow.python.compiler.tensorrt.trt_convert import DEFAULT_TRT_CONVERSION_PARAMS

parser = argparse.ArgumentParser()
parser.add_argument("--version", type=int)
args = parser.parse_args()
version = 1
model_version = "v2" if args.version == 2 else "v3"
platform_version = 3


class Net:
    def __init__(self, version):
        self.version = version
        self.blocks = 3 if self.version > 1 else 2


def load(path, version=1):
    if version >= 2 and platform_version:
        return path
    return parse(path)


if version == 1:
    gpus = tf.config.list_physical_devices("GPU")  # want "old name"
elif args.version == 2 or conversion(sys.version_info >= (3, 8)):
    gpus = tf.config.list_physical_devices("GPU")  # want "old name"
