# A tf.function that a function returns, and that is passed to a function that calls it.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
total = tf.keras.metrics.Mean()


def make_step(model, optimizer):
    @tf.function  # want "This tf.function is created"
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return step


def run_epoch(batches, step_fn, metric):
    for x, y in batches:
        metric(step_fn(x, y))


for epoch in range(30):
    step = make_step(model, optimizer)
    run_epoch(batches, step, metric=total)
