import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()


def train(model, optimizer, dataset, every=4):
    accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
    for step, (x, y) in enumerate(dataset.take(100)):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        for total, gradient in zip(accumulated, gradients):
            total.assign_add(gradient)
        if (step + 1) % every == 0:
            optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
            for total in accumulated:
                total.assign(tf.zeros_like(total))


def main(name):
    train(build(), tf.keras.optimizers.get(name), read())


def elsewhere(model, dataset, loss, n=4):
    optimizer = tf.keras.optimizers.SGD()
    accumulated = [tf.zeros_like(v) for v in model.trainable_variables]
    for step, (x, y) in enumerate(dataset.take(100)):
        with tf.GradientTape() as tape:
            loss(y, model(x))
        gradients = tape.gradient(sources=model.trainable_variables)
        accumulated = [a + g for a, g in zip(accumulated, gradients)]
        if (step + 1) % n == 0:
            optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
            accumulated = [tf.zeros_like(v) for v in model.trainable_variables]
