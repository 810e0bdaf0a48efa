# The loss depends on what Python reads under the tape, before the last gradient.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(100)])
optimizer = tf.keras.optimizers.Adam()

for x, y in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
        loss *= min(1.0, loss.numpy())
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

for x, y in batches:
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        second = tf.reduce_mean(model(x)) * loss.numpy()
        gradients = tape.gradient(second, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
