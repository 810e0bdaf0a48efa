# The step is the inner tape: its update is recorded, too.
import tensorflow as tf

model = build()
optimizer = tf.keras.optimizers.SGD()
for images, labels in dataset:
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:  # want "This training step runs eagerly in every iteration of the loop on line 6"
            loss = tf.reduce_mean((model(images) - labels) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    print(loss)
