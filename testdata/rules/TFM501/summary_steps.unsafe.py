# A compiled step writes all its summaries with the Python number of its trace.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def given(x, step):  # want "given runs eagerly in every iteration of the loop on line 46\. Pass step as a tensor"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    tf.summary.scalar("loss", loss, step=step)


def default(x):  # want "default runs eagerly in every iteration of the loop on line 46\. Move the tape and the update into a function with @tf\.function, and leave the rest of default, which needs Python, outside"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    tf.summary.scalar("loss", loss)


@tf.function
def counted(x):  # want "counted runs eagerly in every iteration of the loop on line 46\. Under @tf\.function it is compiled once"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    tf.summary.scalar("loss", loss, step=optimizer.iterations)


class Trainer:
    def __init__(self):
        self.steps = 0

    def step(self, x):  # want "step runs eagerly in every iteration of the loop on line 40\. Move the tape and the update into a function with @tf\.function, and leave the rest of step, which needs Python, outside"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        tf.summary.scalar("loss", loss, step=self.steps)

    def train(self, dataset):
        for x in dataset:
            self.step(x)
            self.steps += 1


number = 0
for x in dataset:
    number += 1
    given(x, number)
    default(x)
    counted(x)
    tf.summary.experimental.set_step(number)
