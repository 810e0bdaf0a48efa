"""A step in a function of its own that is not compiled: it returns the loss, and is told
whether to train."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
dataset = tf.data.Dataset.from_tensor_slices((
    np.random.normal(size=(77, 6)).astype("float32"), np.random.normal(size=(77, 1)).astype("float32"))).batch(20)
model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
loss_fn = tf.keras.losses.MeanSquaredError()
error = tf.keras.metrics.MeanAbsoluteError()


def train_step(x, y, training=True):
    y = tf.cast(y, tf.float32)
    with tf.GradientTape() as tape:  # <- here
        predictions = model(x, training=training)
        loss = loss_fn(y, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    error.update_state(y, predictions)
    return loss


for epoch in range(2):
    for x, y in dataset:
        loss = train_step(x, y, training=True)
    print(f"epoch {epoch}: loss {float(loss):.4f}, error {float(error.result()):.4f}")
