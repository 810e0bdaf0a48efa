import sys

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
optimizer = tf.keras.optimizers.Adam()


def on_gpu(x):  # want "runs eagerly in every iteration of the loop on line 25"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def anywhere(x):  # want "runs eagerly in every iteration of the loop on line 28"
    with tf.device("/CPU:0"):
        x = tf.cast(x, tf.float32)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


with tf.device("/CPU:0"):
    images = tf.zeros([2, 4])
    for i in range(1000):
        with tf.device("/GPU:0"):
            on_gpu(images)
for i in range(1000):
    with tf.device(sys.argv[1]):
        anywhere(images)
