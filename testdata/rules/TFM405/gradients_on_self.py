import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam()
        self.seen = []

    def step(self, x, y):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((self.model(x) - y) ** 2)
        grads = t.gradient(loss, self.model.trainable_variables)
        self.seen.append(grads)  # want "self\.seen keeps the gradients of every step in GPU memory\. The loop on line 21 adds a set in each iteration\."
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss


trainer = Trainer(tf.keras.Sequential([tf.keras.layers.Dense(512), tf.keras.layers.Dense(1)]))
batches = tf.data.Dataset.from_tensor_slices((tf.zeros((6400, 64)), tf.zeros((6400, 1)))).batch(32)
for x, y in batches:
    trainer.step(x, y)
