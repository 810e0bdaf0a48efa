import tensorflow as tf


def train(model, critic, batches):
    for x in batches:
        with tf.GradientTape(persistent=True) as tape:
            a = model(x)
            b = critic(a)

        # The gradients.
        ga = tape.gradient(a, model.trainable_variables)  # want "warning: tape\.gradient\(\) is recorded by its own persistent tape\. The tape records until the end of the with statement on line 6, so it keeps the tensors of the backward pass as well as those of the forward pass\. Compute the gradient after the with statement\.$"

        gb = tape.gradient(
            b,
        critic.trainable_variables,
        )
        note("""
            as it
    is
""")
        if x is not None:
            opt.apply_gradients(zip(ga, model.trainable_variables))
        # at the end
        del tape
        opt.apply_gradients(zip(gb, critic.trainable_variables))
