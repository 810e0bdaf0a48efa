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
    # Each batch is taken in four parts, whose gradients are averaged.
    batch = (x, y)
    size = tf.nest.flatten(batch)[0].shape[0]
    rows = (size + 3) // 4
    for start in range(0, size, rows):
        x, y = tf.nest.map_structure(lambda t: t[start:start + rows], batch)
        with tf.GradientTape() as tape:  # <- here
            predictions = model(x, training=training)
            loss = loss_fn(y, predictions)
        share = min(rows, size - start) / size
        if start == 0:
            gradients = [None] * len(model.trainable_variables)
        for i, part in enumerate(tape.gradient(loss, model.trainable_variables)):
            if isinstance(part, tf.IndexedSlices):  # the rows of an embedding
                values, indices = share * part.values, part.indices
                if gradients[i] is not None:
                    values = tf.concat([gradients[i].values, values], 0)
                    indices = tf.concat([gradients[i].indices, indices], 0)
                gradients[i] = tf.IndexedSlices(values, indices, part.dense_shape)
            elif part is not None:
                part = share * part
                gradients[i] = part if gradients[i] is None else gradients[i] + part
        error.update_state(y, predictions)
        mean_loss = share * loss if start == 0 else mean_loss + share * loss
    loss = mean_loss
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(2):
    for x, y in dataset:
        loss = train_step(x, y, training=True)
    print(f"epoch {epoch}: loss {float(loss):.4f}, error {float(error.result()):.4f}")
