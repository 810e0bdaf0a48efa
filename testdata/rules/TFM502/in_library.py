# Training in functions that nothing here calls.
import tensorflow as tf


@tf.function
def train_step(model, optimizer, batch, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch) ** 2) * rate
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


@tf.function
def scaled(batch, rate):
    return batch * rate


def train(model, optimizer, batches):
    rate = 0.1
    for batch in batches:
        train_step(model, optimizer, batch, rate)  # want "train_step is retraced for each value of rate, a Python number\. The value changes in every iteration of the loop on line 19, and each of its values adds a graph\. Pass a tensor, which is traced once\.$"
        rate *= 0.99


def show(batches):
    rate = 0.1
    for batch in batches:
        print(scaled(batch, rate).numpy())  # want "scaled is retraced for each value of rate, a Python number\. The value changes in every iteration of the loop on line 26, and each of its values adds a graph\. Pass a tensor, which is traced once\.$"
        rate *= 0.99
