import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


class Trainer:
    def step(self, batch):
        with tf.GradientTape() as tape:
            loss = model(batch)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def train(self, dataset):
        for i, batch in enumerate(dataset):  # want "The pipeline that reaches the training loop does not prefetch\."
            self.step(batch)


ds = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(32)
for epoch in range(3):
    for x, y in ds:  # want "The pipeline that reaches the training loop does not prefetch\."
        train_step(x, y)

Trainer().train(tf.data.Dataset.from_tensor_slices(xs).batch(4))
