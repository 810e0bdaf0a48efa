import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
N = 4
# The sum is meant: the rate is divided instead.
rate = 0.01 / N
optimizer = tf.keras.optimizers.SGD(rate, momentum=0.9)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset.take(100)):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    for total, gradient in zip(accumulated, gradients):
        total.assign_add(gradient)
    if (step + 1) % N == 0:
        optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
        for total in accumulated:
            total.assign(tf.zeros_like(total))
