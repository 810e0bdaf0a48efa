import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()  # want "Memory growth is not set"
w = tf.Variable([1.0, 2.0])
for step in range(100):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    grads = tape.gradient(loss, [w])
    optimizer.apply_gradients(zip(grads, [w]))
