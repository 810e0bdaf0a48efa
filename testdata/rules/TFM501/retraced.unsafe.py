# A tf.function has a trace for each Python number, and for each length of a list or of a Python loop.
import random

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()



def of_list(batch):  # want "of_list runs eagerly in every iteration of the loop on line 53\. Pass batch as a tensor and compile it with @tf\.function, which is traced again for each length of a Python list and each number in it\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.stack(batch)))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def of_parts(x, y):  # want "of_parts runs eagerly in every iteration of the loop on line 53\. Pass x and y as a tensor"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.convert_to_tensor(x)) - y)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


@tf.function
def of_inputs(inputs):  # want "of_inputs runs eagerly in every iteration of the loop on line 53\. Under @tf\.function it is compiled once"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.stack(inputs)))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def of_number(epoch, x):  # want "of_number runs eagerly in every iteration of the loop on line 53\. Pass epoch as a tensor and compile it with @tf\.function, which is traced again for each Python number\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x)) * (1.0 / (epoch + 1))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


@tf.function
def of_flag(training, x):  # want "of_flag runs eagerly in every iteration of the loop on line 53\. Under @tf\.function it is compiled once"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x, training=training))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def decoded(source, target):  # want "decoded runs eagerly in every iteration of the loop on line 53\. Pad the batches to one length and compile it with @tf\.function, which is traced again for each length of its Python loop over target\.$"
    loss = 0.0
    with tf.GradientTape() as tape:
        state = model(source)
        length = target.shape[1]
        for t in range(1, length):
            loss += tf.reduce_mean(model(target[:, t]) - state)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def main(dataset, memory):
    for epoch in range(100):
        for x, y in dataset:
            rows = []
            for i in range(32):
                rows.append(x[i])
            of_list(rows)
            of_parts([row[0] for row in random.sample(memory, 32)], list(y))
            of_inputs([x, y])
            of_number(epoch, x)
            of_flag(True, x)
            decoded(x, y)


def of_episode(states):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.stack(states)))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def episodes(env):
    for episode in range(1000):
        states, done = [], False
        while not done:
            state, reward, done, _ = env.step(0)
            states.append(state)
        of_episode(states)


@tf.function
def same(x, size, weights):  # want "same runs eagerly in every iteration of the loop on line \d+\. Under @tf\.function it is compiled once"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x)) * size * tf.reduce_sum(weights)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


size = int(input())
weights = []
for line in open("weights.txt"):
    weights.append(float(line))
for x in dataset:
    same(x, size, weights)
