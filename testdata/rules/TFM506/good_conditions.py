# Made once, for another variable each, or in a few turns.
import tensorflow.compat.v1 as tf

with tf.Session() as sess:
    for step in range(1000):
        if step == 10:
            sess.run(tf.assign(rate, 0.01))
        sess.run(train_op)
        try:
            sess.run(train_op)
        except tf.errors.OutOfRangeError:
            sess.run(tf.global_variables_initializer())
    for variable, value in zip(variables, values):
        sess.run(tf.assign(variable, value))
        sess.run(variable.assign(value))
    for i in range(len(variables)):
        sess.run(tf.assign(variables[i], values[i]))
    for i in range(3):
        sess.run(tf.reduce_mean(x))
    while True:
        sess.run(tf.reduce_mean(x))
        break
