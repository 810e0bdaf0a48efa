import tensorflow as tf

N = 4
total = [tf.zeros_like(v) for v in model.trainable_variables]
for step, (x, y) in enumerate(batches):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    for i, g in enumerate(grads):
        total[i] += g / N
    if (step + 1) % N == 0:
        optimizer.apply_gradients(zip(total, model.trainable_variables))  # want "warning: The last batches are lost if their number is not a multiple of N\. Nothing applies their gradients: apply them after the loop, scaled by N and divided by how many there are\.$"
        total = [tf.zeros_like(v) for v in model.trainable_variables]
if (step + 1) % N != 0:
    optimizer.apply_gradients(zip([g * N / ((step + 1) % N) for g in total], model.trainable_variables))  # want "warning: The last batches are lost if their number is not a multiple of N\. Nothing applies their gradients: apply them after the loop, scaled by N and divided by how many there are\.$"
    total = [tf.zeros_like(v) for v in model.trainable_variables]
