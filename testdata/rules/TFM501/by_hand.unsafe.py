import tensorflow as tf

w = tf.Variable(1.0)
b = tf.Variable(0.0)


@tf.function
def step(x, y):  # want "step runs eagerly in every iteration of the loop on line 25\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x + b - y))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)


@tf.function
def update(x, y, rate=0.1):  # want "update runs eagerly in every iteration of the loop on line 25\."
    variables = [w, b]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x + b - y))
    for g, v in zip(tape.gradient(loss, variables), variables):
        v.assign_sub(rate * g)
    return loss


for epoch in range(100):
    for x, y in dataset:
        step(x, y)
        update(x, y)
