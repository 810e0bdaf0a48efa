# The session that runs an operation may be the default one.
import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10000):
        accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32))  # want "tf\.reduce_mean\(\) adds operations"
        print(step, accuracy.eval(feed()))
