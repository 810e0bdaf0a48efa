import numpy as np
import tensorflow as tf
import keras
from keras import layers

enc = keras.Sequential([
    keras.Input((48, 48, 3)),
    layers.Conv2D(32, 3, strides=2, padding="same"), layers.BatchNormalization(), layers.ReLU(),
    layers.Conv2D(64, 3, strides=2, padding="same"), layers.BatchNormalization(), layers.ReLU(),
    layers.Conv2D(128, 3, strides=2, padding="same"), layers.BatchNormalization(), layers.ReLU(),
    layers.GlobalAveragePooling2D(),
])
proj = keras.Sequential([keras.Input((128,)), layers.Dense(128, activation="relu"), layers.Dense(64)])
opt = keras.optimizers.SGD(0.3, momentum=0.9)

def view(x):
    x = tf.image.random_flip_left_right(x)
    x = tf.image.random_brightness(x, 0.4)
    return x + tf.random.normal(tf.shape(x), stddev=0.05)

def nt_xent(a, b, t=0.1):
    a = tf.math.l2_normalize(a, axis=1)
    b = tf.math.l2_normalize(b, axis=1)
    z = tf.concat([a, b], 0)
    n = tf.shape(a)[0]
    sim = tf.matmul(z, z, transpose_b=True) / t
    sim = sim - 1e9 * tf.eye(2 * n)
    labels = tf.concat([tf.range(n, 2 * n), tf.range(n)], 0)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=sim))

@tf.function
def step(images):
    v1, v2 = view(images), view(images)
    with tf.GradientTape() as tape:
        z1 = proj(enc(v1, training=True), training=True)
        z2 = proj(enc(v2, training=True), training=True)
        loss = nt_xent(z1, z2)
    variables = enc.trainable_variables + proj.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss

data = tf.data.Dataset.from_tensor_slices(np.random.rand(512, 48, 48, 3).astype("float32")).batch(128)
for b in data:
    step(b)
