# Made once, or no tensor at all.
import tensorflow as tf

accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32))
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train, feed())
        print(accuracy.eval(feed()))
        frame.eval("a + b")

for step in range(10):
    with tf.Graph().as_default(), tf.Session():
        total = tf.reduce_sum(tf.ones([step + 1]))
        print(total.eval())
