# The sum is run in each iteration, or what is summed is a number.
import tensorflow as tf

sess = tf.InteractiveSession()
total, number = 0, 0
for batch in batches:
    total += tf.reduce_sum(batch)  # want "tf\.reduce_sum\(\) adds operations to the graph in every loop iteration"
    print(sess.run(total))
for batch in batches:
    loss = tf.reduce_sum(batch)  # want "tf\.reduce_sum\(\) adds operations to the graph in every loop iteration"
    number += sess.run(loss)
for batch in batches:
    number += sess.run(tf.reduce_sum(batch))  # want "tf\.reduce_sum\(\) adds operations to the graph in every loop iteration"
