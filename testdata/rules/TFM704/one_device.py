# machine: 8 GiB
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()  # want "This strategy has one GPU, and has nothing to divide\. The whole model is on a GPU of 8 GiB with or without it\.$"
other = tf.distribute.MirroredStrategy(devices=None)  # want "This strategy has one GPU, and has nothing to divide\."
first = tf.distribute.MirroredStrategy(["/gpu:0"])  # want "This strategy has one device, \"/gpu:0\", and has nothing to divide\."
two = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
some = tf.distribute.MirroredStrategy(devices)
unknown = tf.distribute.MirroredStrategy(*arguments)
