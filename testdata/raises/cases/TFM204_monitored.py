# rule: TFM204
# raises: AttributeError: module 'tensorflow._api.v2.train' has no attribute 'ChiefSessionCreator'
# gpus: 0
import tensorflow as tf

tf.random.set_seed(1)
creator = tf.train.ChiefSessionCreator()
