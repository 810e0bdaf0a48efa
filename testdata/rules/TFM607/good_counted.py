import tensorflow as tf

adam = tf.keras.optimizers.Adam()
total = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
for step in range(1000):
    x, y = next(batches)
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    for t, g in zip(total, grads):
        t.assign_add(g)
    if (step + 1) % 4 == 0:
        adam.apply_gradients(zip(total, model.trainable_variables))
        for t in total:
            t.assign(tf.zeros_like(t))
