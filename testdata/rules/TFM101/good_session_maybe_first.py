# Whether anything has run when the session is opened is not known.
import sys

import tensorflow as tf

if len(sys.argv) > 1:
    print(tf.zeros([2]))
with tf.compat.v1.Session(graph=graph) as session:
    session.run("out:0")
