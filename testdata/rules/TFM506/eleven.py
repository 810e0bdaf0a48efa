# Eleven are enough to notice.
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
y = tf.layers.dense(x, 2)
session = tf.Session()
for rate in [r / 10 for r in range(11, 0, -1)]:
    session.run(tf.global_variables_initializer())  # want "adds operations to the graph in every loop iteration"
    print(session.run(y, {x: images}))
