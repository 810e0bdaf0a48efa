"""Out of the with would be out of the scope too."""
import tensorflow as tf


def gradients(x, strategy):
    with strategy.scope(), tf.GradientTape(persistent=True) as tape:
        a = model(x)
        da = tape.gradient(a, model.trainable_variables)  # want "tape.gradient"
        db = tape.gradient(a, critic.trainable_variables)
    return da, db
