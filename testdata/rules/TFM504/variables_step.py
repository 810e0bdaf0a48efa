# A step that tf.function compiles keeps them, too.
import gc
import tensorflow as tf


@tf.function
def step(net, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


def eager(net, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


for units in sizes:
    net = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(units)])  # want "^hint: .* whose variables stay\."
    step(net, tf.keras.optimizers.SGD(), x, y)
    tf.keras.backend.clear_session()
    gc.collect()
for units in sizes:
    net = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(units)])
    eager(net, tf.keras.optimizers.SGD(), x, y)
    tf.keras.backend.clear_session()
    gc.collect()
