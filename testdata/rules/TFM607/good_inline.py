import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset.take(400)):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    for total, gradient in zip(accumulated, tape.gradient(loss, model.trainable_variables)):
        total.assign_add(gradient / 4)
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
        for total in accumulated:
            total.assign(tf.zeros_like(total))
if (step + 1) % 4:
    optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
