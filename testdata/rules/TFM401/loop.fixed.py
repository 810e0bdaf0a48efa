import tensorflow as tf


def train(model, critic, opt, batches):
    for x in batches:
        with tf.GradientTape(persistent=True) as tape:  # want "warning: The persistent tape keeps its tensors after its last use\. It is last used on line 10, and keeps every tensor it recorded until the next iteration rebinds the name\. Delete it after its last use\.$"
            a = model(x)
            b = critic(a)
        ga = tape.gradient(a, model.trainable_variables)
        gb = tape.gradient(b, critic.trainable_variables)
        del tape
        opt.apply_gradients(zip(ga, model.trainable_variables))
        opt.apply_gradients(zip(gb, critic.trainable_variables))
