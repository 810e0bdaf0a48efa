# The surroundings of what runs within a with, and in the functions it calls.
import tensorflow as tf
from os import putenv as mark


def forward():
    mark("FORWARD", "")
    with tf.GradientTape() as inner:
        mark("INNER", "")


strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    mark("STRATEGY", "")
with tf.GradientTape() as tape:
    mark("TAPE", "")
    forward()
mark("OUTSIDE", "")
with tf.Graph().as_default(), tf.compat.v1.Session() as sess:
    mark("GRAPH", "")
with open("x"), tf.GradientTape(persistent=True) as tape:
    mark("SECOND_ITEM", "")
scope = strategy.scope()
with scope:
    mark("NAMED_SCOPE", "")
later = tf.GradientTape()
with later:
    mark("NAMED_TAPE", "")
with tf.device("/GPU:0"):
    mark("DEVICE", "")
for i in range(3):
    with tf.GradientTape() as t:
        forward()
