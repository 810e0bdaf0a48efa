"""The inner loops have one iteration each, or go on; the outer ones repeat the step."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def first(x, y):  # want "first runs eagerly in every iteration of the loop on line 23\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def valid(x, y):  # want "valid runs eagerly in every iteration of the loop on line 28\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def train(folders):
    for folder in folders:
        for x, y in load(folder):
            first(x, y)
            break

    for x, y in load("all"):
        valid(x, y)
        if tf.reduce_any(tf.math.is_nan(x)):
            continue
        break


train(list_folders())
