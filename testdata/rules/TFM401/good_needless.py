"""A tape that need not be persistent is TFM402's, one that nobody asks TFM407's."""
import tensorflow as tf

for x, y in batches:
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_fn(y, model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

for x, y in validation:
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        loss = loss_fn(y, model(x))
    mean.update_state(loss)
