# One that prefetches, one that only counts, and a loop that trains on something else.
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


ds = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(32)
for x, y in ds.prefetch(2):
    train_step(x, y)
for x, y in ds:
    count(x)
for names in ds:
    train_step(*next(others))
for i in range(3):
    train_step(x, y)
