# The forward pass shows values, and reads sizes that Python knows while it traces.
import numpy as np
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


def attention(q, k):
    depth = k.shape[-1]
    return tf.matmul(q, k, transpose_b=True) / np.sqrt(depth * 2)


def step(batch, x, y):  # want "step runs eagerly in every iteration of the loop on line 47\. Move the tape and the update into a function with @tf\.function, and leave the rest of step, which needs Python, outside"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
        print("batch %d: loss %f" % (batch, loss.numpy()))
        print("loss {}".format(float(loss)), f"{loss.numpy():.3f}")
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def attends(x):  # want "attends runs eagerly"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(attention(model(x), model(x)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def weighs(x, y):
    with tf.GradientTape() as tape:
        value = model(x)
        loss = tf.reduce_mean((value - y) ** 2) * weight_of(value.numpy())
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def measures(x, y):
    with tf.GradientTape() as tape:
        value = model(x)
        size = tf.shape(value)[0]
        loss = tf.reduce_mean((value - y) ** 2) / np.sqrt(size)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for batch, (x, y) in enumerate(dataset):
    step(batch, x, y)
    attends(x)
    weighs(x, y)
    measures(x, y)
