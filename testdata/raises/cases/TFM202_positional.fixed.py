# rule: TFM202
# raises: TypeError: Argument `target` must be a string, but got "ConfigProto". Did you do "Session(config)" instead of "Session(config=config)"?
# gpus: 0
import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
session = tf.compat.v1.Session(config=config)
