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
        with tf.GradientTape() as tape:
            logits = model(x_batch, training=True)
            loss = loss_fn(y_batch, logits)
        # The gradients of all weights.
        grads = tape.gradient(loss, model.trainable_weights)  # of one batch
        grads = [tf.clip_by_norm(g, 1.0) for g in grads]
        optimizer.apply_gradients(zip(grads, model.trainable_weights))

        # How often it is right.
        accuracy.update_state(y_batch, logits)

        average.update_state(loss)

        seen += len(x_batch)
        if step % 2 == 0:
            print(f'{seen} examples, loss {float(loss):.4f}')
    print(f'epoch {epoch}: accuracy {float(accuracy.result()):.4f}, loss {float(average.result()):.4f}')
    accuracy.reset_state()
