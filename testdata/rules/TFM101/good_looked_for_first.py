# TFM201 speaks of what took the memory.
import tensorflow as tf

print(tf.test.gpu_device_name())
x = tf.ones([2, 2])
with tf.compat.v1.Session(graph=graph) as session:
    session.run("out:0")
