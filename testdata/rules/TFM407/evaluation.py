import tensorflow as tf

for x, y in validation:
    with tf.GradientTape() as tape:  # want "information: The tape tape is never asked for a gradient: it keeps every tensor of the forward pass for a backward pass that never comes"
        loss = loss_fn(y, model(x, training=False))
    mean.update_state(loss)
