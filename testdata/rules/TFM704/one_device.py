# machine: 8 GiB
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()  # want "This strategy has one GPU, and divides nothing\. The whole model is on a GPU of 8 GiB with or without it\.$"
other = tf.distribute.MirroredStrategy(devices=None)  # want "This strategy has one GPU, and divides nothing\."
first = tf.distribute.MirroredStrategy(["/gpu:0"])  # want "This strategy has one device, \"/gpu:0\", and divides nothing\."
two = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
some = tf.distribute.MirroredStrategy(devices)
unknown = tf.distribute.MirroredStrategy(*arguments)
