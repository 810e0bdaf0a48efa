"""Keras 2, whose optimizers accumulate nothing: the model's step takes a batch in parts."""
# keras: 2
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
x = np.random.normal(size=(107, 8)).astype("float32")
y = np.random.normal(size=(107, 1)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", loss="mse", metrics=["mae"])


def train_in_parts(data, model=model):
    # Each batch is taken in four parts, whose gradients are averaged.
    size = tf.shape(tf.nest.flatten(data)[0])[0]
    rows = (size + 3) // 4

    def add_part(start, total):
        part = tf.nest.map_structure(lambda t: t[start:start + rows], data)
        x, y, weights = (*part, None)[:3]
        with tf.GradientTape() as tape:
            predictions = model(x, training=True)
            loss = model.compiled_loss(y, predictions, weights, regularization_losses=model.losses)
        model.compiled_metrics.update_state(y, predictions, weights)
        gradients = tape.gradient(loss, model.trainable_variables)
        share = tf.cast(tf.minimum(rows, size - start), loss.dtype) / tf.cast(size, loss.dtype)
        return start + rows, [t if g is None else t + share * g for t, g in zip(total, gradients)]

    zeros = [tf.zeros_like(v) for v in model.trainable_variables]
    _, gradients = tf.while_loop(lambda start, total: start < size, add_part, (0, zeros), parallel_iterations=1)
    model.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return {m.name: m.result() for m in model.metrics}


model.train_step = train_in_parts
history = model.fit(x, y, epochs=2, shuffle=False, verbose=0)  # <- here
print([f"{v:.3f}" for v in history.history["loss"] + history.history["mae"]])
