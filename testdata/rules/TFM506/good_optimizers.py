# Made before the loop, for each tower, for each session, or eagerly.
import tensorflow as tf

optimizer = tf.compat.v1.train.AdamOptimizer()
train_op = optimizer.minimize(loss)
with tf.compat.v1.Session() as sess:
    for step in range(1000):
        sess.run([train_op, loss])
updates = []
for tower in towers:
    updates.append(optimizer.minimize(tower.loss))
for rate in rates:
    with tf.Graph().as_default(), tf.compat.v1.Session() as sess:
        op = tf.compat.v1.train.AdamOptimizer(rate).minimize(build())
        for step in range(1000):
            sess.run(op)


def eager(experiment):
    for step in range(1000):
        optimizer.minimize(lambda: tf.reduce_mean(weights), [weights])
        experiment.run(step)
