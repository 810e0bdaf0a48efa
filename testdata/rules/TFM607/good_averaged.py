import tensorflow as tf

mse = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)


def loss_divided(model, data, n):
    total = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
    for step, (x, y) in enumerate(data.take(8 * n)):
        with tf.GradientTape() as tape:
            loss = mse(y, model(x)) / n
        grads = tape.gradient(loss, model.trainable_variables)
        for t, g in zip(total, grads):
            t.assign_add(g)
        if (step + 1) % n == 0:
            optimizer.apply_gradients(zip(total, model.trainable_variables))
            for t in total:
                t.assign(tf.zeros_like(t))


def divided_when_applied(model, data, n):
    total = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
    for step, (x, y) in enumerate(data.take(8 * n)):
        with tf.GradientTape() as tape:
            loss = mse(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        for t, g in zip(total, grads):
            t.assign_add(g)
        if (step + 1) % n == 0:
            optimizer.apply_gradients(zip([t / n for t in total], model.trainable_variables))
            for t in total:
                t.assign(tf.zeros_like(t))


def divided_in_place(model, data, n):
    total = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
    for step, (x, y) in enumerate(data.take(8 * n)):
        with tf.GradientTape() as tape:
            loss = mse(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        for t, g in zip(total, grads):
            t.assign_add(g)
        if (step + 1) % n == 0:
            for t in total:
                t.assign(t / n)
            optimizer.apply_gradients(zip(total, model.trainable_variables))
            for t in total:
                t.assign(tf.zeros_like(t))


def scaled_gradients(model, data, n):
    total = [tf.zeros_like(v) for v in model.trainable_variables]
    for step, (x, y) in enumerate(data.take(8 * n)):
        with tf.GradientTape() as tape:
            loss = mse(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        grads = [g / n for g in grads]
        total = [t + g for t, g in zip(total, grads)]
        if (step + 1) % n == 0:
            optimizer.apply_gradients(zip(total, model.trainable_variables))
            total = [tf.zeros_like(v) for v in model.trainable_variables]


def a_sum_over_examples(model, data, n):
    total = [tf.zeros_like(v) for v in model.trainable_variables]
    for step, (x, y) in enumerate(data.take(8 * n)):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(y - model(x)))
        grads = tape.gradient(loss, model.trainable_variables)
        total = [t + g for t, g in zip(total, grads)]
        if (step + 1) % n == 0:
            optimizer.apply_gradients(zip(total, model.trainable_variables))
            total = [tf.zeros_like(v) for v in model.trainable_variables]
