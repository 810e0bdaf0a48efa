# Few steps at a time, many times; and in a function that others call.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def train(batch):
    for _ in range(2):
        with tf.GradientTape() as tape:  # want "in every iteration of the loop on line 9"
            loss = tf.reduce_mean(model(batch))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))


def learn(batch):
    for _ in range(2):
        with tf.GradientTape() as tape:  # want "in every iteration of the loop on line 16"
            loss = tf.reduce_mean(model(batch))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))


for batch in batches:
    train(batch)
