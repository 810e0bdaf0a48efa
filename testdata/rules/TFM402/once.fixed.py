import tensorflow as tf

with tf.GradientTape() as tape:  # want "information: The tape tape is asked once, by the one call of gradient\(\) on line 5, so persistent=True is not needed: it keeps"
    loss = loss_fn(y, model(x))
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
