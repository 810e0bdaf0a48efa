import tensorflow as tf

optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
STEPS = 4
sums = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
for i, (x, y) in enumerate(data):
    if i > 0 and i % STEPS == 0:
        optimizer.apply_gradients(zip(sums, model.trainable_variables))  # want "The gradients of STEPS batches are summed, not averaged\. They are summed on line 16 .* Divide them by STEPS\.$"
        for s in sums:
            s.assign(tf.zeros_like(s))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    print(float(loss))
    for k in range(len(gradients)):
        sums[k].assign_add(gradients[k])
