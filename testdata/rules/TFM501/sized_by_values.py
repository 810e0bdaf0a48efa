# How many items there are only the values say: eagerly the shape is known, in a graph it is not.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()


def by_class(x, y):  # want "by_class runs eagerly in every iteration of the loop on line 39\. Move the tape and the update into a function with @tf\.function, and leave the rest of by_class, which needs Python, outside"
    classes, _ = tf.unique(y)
    number = classes.shape[0]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x)) * number
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def by_place(x, y):  # want "by_place runs eagerly in every iteration of the loop on line 39\. Move the tape and the update"
    number = len(tf.where(y > 0))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x)) * number
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def by_sum(x, y):  # want "by_sum runs eagerly in every iteration of the loop on line 39\. Under @tf\.function it is compiled once"
    classes, _ = tf.unique(y)
    total = tf.cast(tf.reduce_sum(classes), tf.float32)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x)) * total
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def by_shape(x, y):  # want "by_shape runs eagerly in every iteration of the loop on line 39\. Under @tf\.function it is compiled once"
    chosen = tf.where(y > 0, x, -x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(chosen)) * chosen.shape[-1]
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


dataset = tf.data.Dataset.from_tensor_slices((inputs, labels)).batch(32).prefetch(2)
for x, y in dataset:
    by_class(x, y)
    by_place(x, y)
    by_sum(x, y)
    by_shape(x, y)
