# The name of an option says whose version it is.
import tensorflow as tf
from options import parse

args = parse()
if args.tf_version < 2.1:
    gpus = tf.config.experimental.list_physical_devices("GPU")
