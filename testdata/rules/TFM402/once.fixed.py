import tensorflow as tf

with tf.GradientTape() as tape:  # want "information: Only one gradient is computed from the tape, so persistent=True is unnecessary\. The one call of gradient\(\) is on line 5\. A persistent tape keeps every tensor it recorded as long as it exists; otherwise the backward pass frees them as it goes\.$"
    loss = loss_fn(y, model(x))
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
