# No fix: what follows the gradients iterates over a tensor.
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
model = tf.keras.Sequential([tf.keras.layers.Dense(4)])


def step(x):  # want "step runs eagerly"
    with tf.GradientTape() as tape:
        losses = tf.reduce_mean(tf.square(model(x)), axis=0)
    grads = tape.gradient(losses, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return dict(zip("abcd", losses))


for x in dataset:
    step(x)
