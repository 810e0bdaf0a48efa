import tensorflow as tf

hello = tf.constant("hello world")

sess = tf.compat.v1.Session()  # want "without memory growth"
print(sess.run(hello))
