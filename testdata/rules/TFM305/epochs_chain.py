# The pipeline is made in the epochs' loop: there prefetch would be made for each.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for epoch in range(10):
    for x, y in tf.data.Dataset.from_tensor_slices((features, labels)).batch(32):  # want "The pipeline that reaches the training loop does not prefetch\."
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
