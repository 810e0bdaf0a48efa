# The loop makes the operations in some iterations only.
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784])
y = tf.layers.dense(x, 10)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(10000):
        session.run(y, {x: batch(i)})
        if i % 100 == 0:
            print(session.run(tf.argmax(y, 1), {x: batch(i)}))  # want "tf\.argmax\(\) adds operations to the graph each time that the loop gets there\. The loop is on line 8"
