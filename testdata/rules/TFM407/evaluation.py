import tensorflow as tf

for x, y in validation:
    with tf.GradientTape() as tape:  # want "information: No gradient is computed from the tape\. It keeps every tensor of the forward pass for a backward pass that never comes\. Compute the gradient, or run the code without the tape\.$"
        loss = loss_fn(y, model(x, training=False))
    mean.update_state(loss)
