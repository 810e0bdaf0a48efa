# Eager programs for TensorFlow 1: its optimizers train at once, and tf.function may be missing.
import tensorflow as tf

tfe = tf.contrib.eager
tfe.enable_eager_execution()

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.train.AdamOptimizer()
rate = tf.train.MomentumOptimizer(learning_rate=0.1, momentum=0.9)


def step(x, y):  # want "step runs eagerly in every iteration of the loop on line 37\. Under @tf\.function it is compiled once and frees each tensor after its last use\. tf\.function exists since TensorFlow 1\.14\.$"
    with tf.GradientTape() as tape:
        loss = tf.losses.mean_squared_error(y, model(x))
    gradients = tape.gradient(loss, model.variables)
    optimizer.apply_gradients(zip(gradients, model.variables), global_step=tf.train.get_or_create_global_step())


def gradients_of(x, y):  # want "gradients_of runs eagerly"
    with tfe.GradientTape() as tape:
        loss = tf.losses.mean_squared_error(y, model(x))
    return tape.gradient(loss, model.variables)


def apply(optimizer, gradients, variables):
    optimizer.apply_gradients(zip(gradients, variables))


class Net:
    def backward(self, x, y):  # want "backward runs eagerly in every iteration of the loop on line 37\. backward makes variables in each call"
        own = tf.train.AdamOptimizer()
        with tf.GradientTape() as tape:
            loss = tf.losses.mean_squared_error(y, model(x))
        own.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))


for x, y in dataset:
    step(x, y)
    apply(optimizer, gradients_of(x, y), model.variables)
    Net().backward(x, y)
    with tf.GradientTape() as tape:  # want "Move it into a function with @tf\.function, which is compiled once and frees each tensor after its last use\. tf\.function exists since TensorFlow 1\.14\.$"
        loss = tf.losses.mean_squared_error(y, model(x))
    rate.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
