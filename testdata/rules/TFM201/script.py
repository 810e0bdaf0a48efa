"""A TF1 script that says nothing about memory."""
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 1]))
y = tf.matmul(x, w)

with tf.Session() as sess:  # want "information: This session is opened without memory growth\. TensorFlow reserves nearly all free memory of every visible GPU when it first uses one, and keeps it until the process ends\.$"
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, feed_dict={x: data}))

with tf.Session() as sess:
    sess.run(y)
