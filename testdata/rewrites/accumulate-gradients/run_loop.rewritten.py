"""The loop of TensorFlow's own guide: metrics read the outputs, a message the
loss, and the last batch of each epoch is smaller than the others."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
features = np.random.normal(size=(107, 8)).astype('float32')
labels = np.random.randint(0, 3, size=107)
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(16, activation='relu'), tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam(1e-2)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
average = tf.keras.metrics.Mean()

for epoch in range(3):
    seen = 0
    for step, (x_batch, y_batch) in enumerate(dataset):  # <- here
        x_batch = tf.cast(x_batch, tf.float32)
        # Each batch is taken in four parts, whose gradients are averaged.
        batch = (x_batch, y_batch)
        size = tf.nest.flatten(batch)[0].shape[0]
        rows = (size + 3) // 4
        for start in range(0, size, rows):
            x_batch, y_batch = tf.nest.map_structure(lambda t: t[start:start + rows], batch)
            with tf.GradientTape() as tape:
                logits = model(x_batch, training=True)
                loss = loss_fn(y_batch, logits)
            # The gradients of all weights.
            share = min(rows, size - start) / size
            if start == 0:
                grads = [None] * len(model.trainable_weights)
            for i, part in enumerate(tape.gradient(loss, model.trainable_weights)):  # of one batch
                if isinstance(part, tf.IndexedSlices):  # the rows of an embedding
                    values, indices = share * part.values, part.indices
                    if grads[i] is not None:
                        values = tf.concat([grads[i].values, values], 0)
                        indices = tf.concat([grads[i].indices, indices], 0)
                    grads[i] = tf.IndexedSlices(values, indices, part.dense_shape)
                elif part is not None:
                    part = share * part
                    grads[i] = part if grads[i] is None else grads[i] + part
            # How often it is right.
            accuracy.update_state(y_batch, logits)
            mean_loss = share * loss if start == 0 else mean_loss + share * loss
        loss = mean_loss
        x_batch, y_batch = batch
        grads = [tf.clip_by_norm(g, 1.0) for g in grads]
        optimizer.apply_gradients(zip(grads, model.trainable_weights))

        average.update_state(loss)

        seen += len(x_batch)
        if step % 2 == 0:
            print(f'{seen} examples, loss {float(loss):.4f}')
    print(f'epoch {epoch}: accuracy {float(accuracy.result()):.4f}, loss {float(average.result()):.4f}')
    accuracy.reset_state()
