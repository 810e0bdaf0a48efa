import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    for total, gradient in zip(accumulated, tape.gradient(loss, model.trainable_variables)):
        total.assign_add(gradient)
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip(accumulated, model.trainable_variables))  # want "The gradients of 4 batches are summed, not averaged\. They are summed on line 10 and applied as they are, while the loss is a mean over the examples: the step is 4 times that of the large batch\. Divide them by 4\. The last batches are lost if their number is not a multiple of 4\. Nothing applies their gradients: apply them after the loop, divided by how many there are\.$"
        for total in accumulated:
            total.assign(tf.zeros_like(total))
