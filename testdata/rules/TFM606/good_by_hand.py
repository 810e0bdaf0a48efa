import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
LOSS_SCALE = 1024.0


def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x)) * LOSS_SCALE
    grads = [g / LOSS_SCALE for g in tape.gradient(loss, model.trainable_variables)]
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
