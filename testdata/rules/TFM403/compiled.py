import tensorflow as tf


@tf.function
def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        b = critic(a)
        da = tape.gradient(a, model.trainable_variables)  # want "information: tape.gradient"
        db = tape.gradient(b, critic.trainable_variables)
    return da, db
