# What was loaded is compiled.
import tensorflow as tf

imported = tf.saved_model.load("saved")
optimizer = tf.keras.optimizers.SGD(0.1)
for x, y in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((imported(x) - y) ** 2)
    gradients = tape.gradient(loss, imported.variables)
    optimizer.apply_gradients(zip(gradients, imported.variables))
