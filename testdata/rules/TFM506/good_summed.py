# Each iteration makes another part of a sum or a list, which is run after the loop.
import tensorflow as tf

sess = tf.InteractiveSession()


def layer_cost(a, b):
    return tf.reduce_sum(tf.square(a - b))


def style_cost(model, layers):
    total = 0
    for name, weight in layers:
        out = model[name]
        measured = sess.run(out)
        cost = layer_cost(measured, out)
        total += weight * cost
    return total


def parts(model, layers):
    costs, total = [], tf.constant(0.0)
    for name in layers:
        measured = sess.run(model[name])
        costs.append(tf.reduce_sum(model[name] - measured))
        total = total + tf.reduce_sum(model[name] - measured)
    return tf.add_n(costs) + total


cost = style_cost(model, layers) + parts(model, layers)
for step in range(1000):
    sess.run(cost)
