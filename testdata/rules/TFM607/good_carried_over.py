import tensorflow as tf

adam = tf.keras.optimizers.Adam()
N = 4
total = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
# What is left over of an epoch counts in the next.
for epoch in range(10):
    for step, (x, y) in enumerate(data):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        for t, g in zip(total, grads):
            t.assign_add(g)
        if (step + 1) % N == 0:
            adam.apply_gradients(zip(total, model.trainable_variables))
            for t in total:
                t.assign(tf.zeros_like(t))
