import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)
totals = [tf.zeros_like(v) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    totals = [total + g for total, g in zip(totals, tape.gradient(loss, model.trainable_variables))]
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip([g / 4 for g in totals], model.trainable_variables))  # want "The gradients of 4 batches are summed, not averaged\. They are summed on line 9 and applied as they are, while the loss is a mean over the examples: the step is 4 times that of the large batch\. Divide them by 4\. The last batches are lost if their number is not a multiple of 4\. Nothing applies their gradients: apply them after the loop, divided by how many there are\.$"
        totals = [tf.zeros_like(v) for v in model.trainable_variables]
if (step + 1) % 4 != 0:
    optimizer.apply_gradients(zip([g / ((step + 1) % 4) for g in totals], model.trainable_variables))  # want "The gradients of 4 batches are summed, not averaged\. They are summed on line 9 and applied as they are, while the loss is a mean over the examples: the step is 4 times that of the large batch\. Divide them by 4\. The last batches are lost if their number is not a multiple of 4\. Nothing applies their gradients: apply them after the loop, divided by how many there are\.$"
    totals = [tf.zeros_like(v) for v in model.trainable_variables]
