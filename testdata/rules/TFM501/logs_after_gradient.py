# A log reads the loss under the tape, but after the gradient: the forward pass does not depend on it.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(100)])
optimizer = tf.keras.optimizers.Adam()
losses, total = [], 0.0

for x, y in batches:
    with tf.GradientTape() as tape:  # want "This training step runs eagerly"
        loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(loss.numpy())


def step(x, y):  # want "Move the tape and the update into a function with @tf\.function, and leave the rest of step, which needs Python, outside\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if loss.numpy() < 0.1:
            print("good")
        return float(loss)


for x, y in batches:
    total += step(x, y)
