# What keeps the code under a tape from being compiled.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
weights = model.trainable_variables
for x, y in batches:
    with tf.GradientTape() as tape:  # obstacles: none
        loss = tf.reduce_mean(model(x) - y)
    print(loss.numpy())

    with tf.GradientTape() as tape:  # obstacles: prepares inputs
        loss = tf.reduce_mean(model(np.array(x)) - y)

    with tf.GradientTape() as tape:  # obstacles: reads values
        loss = tf.reduce_mean(np.array(model(x)) - y)

    with tf.GradientTape() as tape:  # obstacles: reads values
        loss = tf.reduce_mean(model(x) - y) * loss.numpy()
        gradients = tape.gradient(loss, weights)

    with tf.GradientTape() as tape:  # obstacles: keeps state, shows values, has effects
        loss = tf.reduce_mean(model(x) - y)
        gradients = tape.gradient(loss, weights)
        losses.append(loss.numpy())

    with tf.GradientTape(persistent=True) as tape:  # obstacles: reads values
        loss = tf.reduce_mean(model(x) - y)
        gradients = tape.gradient(loss, weights)
        second = loss * loss.numpy()
        others = tape.gradient(second, weights)

    with tf.GradientTape() as outer:  # obstacles: reads values
        with tf.GradientTape() as inner:  # obstacles: shows values
            loss = tf.reduce_mean(model(x) - y)
            gradients = inner.gradient(loss, weights)
            penalty = gradients[0].numpy()
        total = loss + penalty
        others = outer.gradient(total, weights)
