import tensorflow as tf

mse = tf.keras.losses.MeanSquaredError()


def train(model, dataset, rate, every=8):
    optimizer = tf.keras.optimizers.SGD(rate)
    for epoch in range(3):
        accumulated = [tf.zeros_like(v) for v in model.trainable_variables]
        for step, (x, y) in enumerate(dataset, start=1):
            with tf.GradientTape() as tape:
                loss = mse(y, model(x, training=True))
            grads = tape.gradient(loss, model.trainable_variables)
            accumulated = [a + g for a, g in zip(accumulated, grads)]
            if step % every == 0:
                # One update for all of them.
                optimizer.apply_gradients(zip([g / every for g in accumulated], model.trainable_variables))  # want "warning: The gradients of every batches are summed, not averaged\. They are summed on line 14 and applied as they are, while the loss is a mean over the examples: the step is every times that of the large batch\. Divide them by every\. The last batches are lost if their number is not a multiple of every\. Nothing applies their gradients: apply them after the loop, divided by how many there are\.$"

                accumulated = [tf.zeros_like(v) for v in model.trainable_variables]
        if step % every != 0:
            optimizer.apply_gradients(zip([g / (step % every) for g in accumulated], model.trainable_variables))  # want "warning: The gradients of every batches are summed, not averaged\. They are summed on line 14 and applied as they are, while the loss is a mean over the examples: the step is every times that of the large batch\. Divide them by every\. The last batches are lost if their number is not a multiple of every\. Nothing applies their gradients: apply them after the loop, divided by how many there are\.$"

            accumulated = [tf.zeros_like(v) for v in model.trainable_variables]
        print(epoch)
