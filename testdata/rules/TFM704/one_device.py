# machine: 8 GiB
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()  # want "There is one GPU, a GPU of 8 GiB: nothing is divided"
other = tf.distribute.MirroredStrategy(devices=None)  # want "There is one GPU"
first = tf.distribute.MirroredStrategy(["/gpu:0"])  # want "This strategy has one device, ./gpu:0.: nothing is divided"
two = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
some = tf.distribute.MirroredStrategy(devices)
unknown = tf.distribute.MirroredStrategy(*arguments)
