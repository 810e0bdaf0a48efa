# The sums are made by tf.add.
import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)

acc = [tf.zeros_like(v) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    acc = [tf.add(a, g) for a, g in zip(acc, grads)]
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip([a / 4 for a in acc], model.trainable_variables))  # want "The last batches are lost if their number is not a multiple of 4"
        acc = [tf.zeros_like(v) for v in model.trainable_variables]
