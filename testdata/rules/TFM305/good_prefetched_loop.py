import tensorflow as tf

data = tf.data.Dataset.range(1000).batch(32).prefetch(2)
weights = tf.Variable(tf.random.normal([784, 10]))
for x in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(weights)) * tf.cast(tf.reduce_sum(x), tf.float32)
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
for epoch in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(weights))
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
