"""The function is compiled where it is given a name, and gets its model from the caller."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(10)
dataset = tf.data.Dataset.from_tensor_slices(np.random.normal(size=(50, 5)).astype("float32")).batch(16)
autoencoder = keras.Sequential([keras.Input((5,)), keras.layers.Dense(3, activation="tanh"), keras.layers.Dense(5)])
optimizer = keras.optimizers.SGD(0.1)


def train(model, rows):
    # Each batch is taken in four parts, whose gradients are averaged.
    batch = rows
    size = tf.nest.flatten(batch)[0].shape[0]
    part_rows = (size + 3) // 4
    grads = []
    for start in range(0, size, part_rows):
        with tf.control_dependencies([g for g in grads if g is not None]):  # one part after the other
            rows = tf.nest.map_structure(lambda t: t[start:start + part_rows], batch)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(rows - model(rows, training=True)))
        share = min(part_rows, size - start) / size
        if start == 0:
            grads = [None] * len(model.trainable_variables)
        for i, part in enumerate(tape.gradient(loss, model.trainable_variables)):
            if isinstance(part, tf.IndexedSlices):  # the rows of an embedding
                values, indices = share * part.values, part.indices
                if grads[i] is not None:
                    values = tf.concat([grads[i].values, values], 0)
                    indices = tf.concat([grads[i].indices, indices], 0)
                grads[i] = tf.IndexedSlices(values, indices, part.dense_shape)
            elif part is not None:
                part = share * part
                grads[i] = part if grads[i] is None else grads[i] + part
        mean_loss = share * loss if start == 0 else mean_loss + share * loss
    loss = mean_loss
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


step = tf.function(train)
for epoch in range(2):
    for x in dataset:  # <- here
        loss = step(autoencoder, x)
    print(float(loss))
model = autoencoder
