import tensorflow as tf

optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
STEPS = 4
sums = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
for i, (x, y) in enumerate(data):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    for k in range(len(gradients)):
        sums[k].assign_add(gradients[k])
    if (i + 1) % STEPS == 0 or i + 1 == len(data):
        optimizer.apply_gradients(zip(sums, model.trainable_variables))  # want "The gradients of STEPS batches are summed, not averaged\. They are summed on line 11 and applied as they are, while the loss is a mean over the examples: the step is STEPS times that of the large batch\. Divide them by STEPS\.$"
        for s in sums:
            s.assign(tf.zeros_like(s))
