# The forward pass iterates over tensors where AutoGraph leaves the iteration to Python: it
# cannot be compiled.
import tensorflow as tf


class Actor(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(64, activation="relu")
        self.out = tf.keras.layers.Dense(2, activation="softmax")

    def call(self, x):
        x = self.hidden(x)
        return self.out(x)


actor = Actor()
critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
weights = tf.Variable([0.2, 0.8])


def clipped(probabilities, advantages):
    rows = probabilities
    terms = []
    for row, advantage in zip(rows, advantages):
        terms.append(row[0] * advantage)
    return -tf.reduce_mean(tf.stack(terms))


def zipped(states, advantages):
    with tf.GradientTape() as tape:
        p = actor(states, training=True)
        loss = clipped(p, advantages)
    grads = tape.gradient(loss, actor.trainable_variables)
    optimizer.apply_gradients(zip(grads, actor.trainable_variables))


def enumerated(states):
    with tf.GradientTape() as tape:
        loss = 0.0
        for i, value in enumerate(tf.squeeze(critic(states))):
            loss += value / (i + 1)
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))


def listed(states):
    with tf.GradientTape() as tape:
        values = critic(states)[:, 0]
        loss = tf.add_n([tf.square(value) for value in values])
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))


def summed(states):
    with tf.GradientTape() as tape:
        values = tf.squeeze(critic(states)) * 2.0
        loss = sum(values)
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))


def of_variable(states):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(states)) + tf.add_n(list(w * w for w in weights))
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))


for states, advantages in dataset:
    zipped(states, advantages)
    enumerated(states)
    listed(states)
    summed(states)
    of_variable(states)
