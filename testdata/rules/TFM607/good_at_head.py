import tensorflow as tf

optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
STEPS = 4
sums = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
for i, (x, y) in enumerate(data):
    if i > 0 and i % STEPS == 0:
        optimizer.apply_gradients(zip([s / STEPS for s in sums], model.trainable_variables))
        for s in sums:
            s.assign(tf.zeros_like(s))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    for s, g in zip(sums, gradients):
        s.assign_add(g)

# another optimizer's, before the accumulation
for i, (x, y) in enumerate(data):
    if i % STEPS == 0:
        critic_optimizer.apply_gradients(zip(critic_gradients, critic.trainable_variables))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    for s, g in zip(sums, gradients):
        s.assign_add(g)
