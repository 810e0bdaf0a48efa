# An optimizer adds its update to the graph each time that it is asked to minimize.
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_mean(tf.layers.dense(x, 1))
optimizer = tf.train.GradientDescentOptimizer(0.001)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for epoch in range(100):
    train_op = optimizer.minimize(loss)  # want "optimizer\.minimize\(\) adds operations to the graph in every loop iteration\. The loop is on line 9"
    _, value = sess.run([train_op, loss], {x: batch})


def update():
    gradients = optimizer.compute_gradients(loss)
    return optimizer.apply_gradients(gradients)


for epoch in range(100):
    sess.run(update(), {x: batch})  # want "update\(\) adds operations"
