# A placeholder that no with statement gives a graph: eager execution must be off.
import tensorflow as tf

import switches

sides = tf.compat.v1.placeholder(tf.float32, shape=(None, 3))
with tf.compat.v1.Session() as session:  # want "This session is opened without memory growth"
    print(session.run(sides * 2, feed_dict={sides: [[3.0, 4.0, 5.0]]}))
