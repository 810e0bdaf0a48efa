# An optimizer makes its variables in its first step. A compiled function may make some only once.
import tensorflow as tf


def step(model, x, optimizer):  # want "step runs eagerly in every iteration of the loop on line 21\. Make a tf\.function of it for each optimizer, because an optimizer creates its variables in the first call\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def own(model, x):  # want "own runs eagerly in every iteration of the loop on line 29\. Make a tf\.function of it for each optimizer"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    model.optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def run(dataset):
    for rate in (0.1, 0.01):
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam(rate)
        for x in dataset:
            step(model, x, optimizer)


def compare(dataset):
    for units in (1, 2, 3):
        model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
        model.compile(optimizer="adam", loss="mse")
        for x in dataset:
            own(model, x)


def twice(model, x, optimizer):  # want "twice runs eagerly in every iteration of the loop on line 41\. Make a tf\.function of it for each optimizer"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def alternate(dataset, first, second):
    fast, slow = tf.keras.optimizers.Adam(0.1), tf.keras.optimizers.Adam(0.01)
    for x in dataset:
        twice(first, x, fast)
        twice(second, x, slow)


@tf.function
def once(model, x, optimizer):  # want "once runs eagerly in every iteration of the loop on line 57\. Under @tf\.function it is compiled once"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def train(dataset, model, fast):
    if fast:
        optimizer = tf.keras.optimizers.SGD(0.1)
    else:
        optimizer = tf.keras.optimizers.Adam()
    for x in dataset:
        once(model, x, optimizer)


def around(x):  # want "around runs eagerly in every iteration of the loop on line 70\. Make a tf\.function of it for each optimizer"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x))
    outer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


for rate in (0.1, 0.01):
    net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    outer = tf.keras.optimizers.Adam(rate)
    for x in dataset:
        around(x)
