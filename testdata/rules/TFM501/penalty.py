import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()


def penalty(critic, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = critic(x)
    return tf.norm(tape.gradient(y, x))


def main(critic):
    for x in data:
        with tf.GradientTape() as tape:  # want "This training step runs eagerly"
            loss = tf.reduce_mean(critic(x)) + penalty(critic, x)
        grads = tape.gradient(loss, critic.trainable_variables)
        optimizer.apply_gradients(zip(grads, critic.trainable_variables))
