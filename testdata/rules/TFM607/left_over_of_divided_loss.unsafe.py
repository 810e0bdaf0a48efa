import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
EVERY = 4
optimizer = tf.keras.optimizers.SGD()
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True)) / EVERY
    gradients = tape.gradient(loss, model.trainable_variables)
    for total, gradient in zip(accumulated, gradients):
        total.assign_add(gradient)
    if (step + 1) % EVERY == 0:
        optimizer.apply_gradients(zip(accumulated, model.trainable_variables))  # want "The last batches are lost if their number is not a multiple of EVERY\. Nothing applies their gradients: apply them after the loop, scaled by EVERY and divided by how many there are\.$"
        for total in accumulated:
            total.assign(tf.zeros_like(total))
if (step + 1) % EVERY != 0:
    optimizer.apply_gradients(zip([g * EVERY / ((step + 1) % EVERY) for g in accumulated], model.trainable_variables))  # want "The last batches are lost if their number is not a multiple of EVERY\. Nothing applies their gradients: apply them after the loop, scaled by EVERY and divided by how many there are\.$"
    for total in accumulated:
        total.assign(tf.zeros_like(total))
