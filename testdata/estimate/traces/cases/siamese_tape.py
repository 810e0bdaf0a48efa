import numpy as np
import tensorflow as tf

tower = tf.keras.Sequential([tf.keras.layers.Conv2D(32, 3, activation="relu"), tf.keras.layers.MaxPooling2D(), tf.keras.layers.Conv2D(64, 3, activation="relu"), tf.keras.layers.GlobalAveragePooling2D()])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def step(a, b, same):
    with tf.GradientTape() as tape:
        x, y = tower(a, training=True), tower(b, training=True)
        x, y = (v * tf.raw_ops.Rsqrt(x=tf.reduce_sum(v * v, 1, keepdims=True) + 1e-6) for v in (x, y))
        apart = tf.raw_ops.Sum(input=tf.raw_ops.SquaredDifference(x=x, y=y), axis=1)
        loss = tf.reduce_mean(same * apart + (1 - same) * tf.raw_ops.Maximum(x=1.0 - apart, y=0.0))
    variables = tower.trainable_variables
    gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


images = tf.zeros([64, 40, 40, 3])
step(images, images, tf.zeros([64]))
