"""A step that the loop defines, and one that ends the program."""
import sys

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()

for images, labels in load_data():
    def step():  # want "step runs eagerly in every iteration of the loop on line 9\. Define it once, before the loop, with @tf.function: one that the loop defines would be traced in every iteration\."
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(images) - labels))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    step()


def check(images, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(images) - labels)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


for images, labels in load_data():
    check(images, labels)  # once: then the program ends
    sys.exit(0)
