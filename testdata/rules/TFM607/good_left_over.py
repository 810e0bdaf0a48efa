import tensorflow as tf

adam = tf.keras.optimizers.Adam()
N = 4


def applied_after_the_loop(model, data):
    total = [tf.zeros_like(v) for v in model.trainable_variables]
    for step, (x, y) in enumerate(data):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        total = [t + g for t, g in zip(total, grads)]
        if (step + 1) % N == 0:
            adam.apply_gradients(zip(total, model.trainable_variables))
            total = [tf.zeros_like(v) for v in model.trainable_variables]
    if (step + 1) % N:
        adam.apply_gradients(zip(total, model.trainable_variables))
