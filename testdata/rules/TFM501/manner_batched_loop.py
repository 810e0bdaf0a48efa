"""A loop over batches, every operation of it eager."""
import tensorflow as tf

pipeline = tf.data.Dataset.from_tensor_slices(training_data).batch(batch_size).prefetch(tf.data.AUTOTUNE)
for epoch in range(num_epochs):
    for batch in pipeline:
        with tf.GradientTape() as tape:  # want "This training step runs eagerly in every iteration of the loop on line 6\."
            loss = loss_function(model(batch[0]), batch[1])
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
