import tensorflow as tf

a = tf.constant(3.0)
b = tf.constant(4.0)
total = tf.add(a, b)

# An eager tensor cannot be run: this is of TensorFlow 1.
sess = tf.compat.v1.Session()
print(sess.run([a, b]))
print(sess.run(total))
