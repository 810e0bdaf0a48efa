# The last definition counts, or the branch that is taken.
import tensorflow as tf

COMPILE = False


@tf.function
def train_step(x):
    return model(x, training=True)


def train(dataset):
    for x in dataset:
        train_step(x)
        other_step(x)


def train_step(x):  # want "train_step runs eagerly in every iteration of the loop on line 13\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


if COMPILE:

    @tf.function
    def other_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
else:

    def other_step(x):  # want "other_step runs eagerly in every iteration of the loop on line 13\."
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
train(tf.data.Dataset.range(1000).batch(10))
