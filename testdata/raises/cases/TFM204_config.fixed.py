# rule: TFM204
# raises: AttributeError: module 'tensorflow' has no attribute 'ConfigProto'
# gpus: 0
import tensorflow as tf

tf.random.set_seed(1)
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
session = tf.compat.v1.Session(config=config)
