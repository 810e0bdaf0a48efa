"""Pictures that a map flips where a drawn number and a setting say so, and the loss of a list of layers' differences."""

import tensorflow as tf
from tensorflow import keras


def load(seed, train):
    frames = tf.random.stateless_uniform((80, 80, 6), [seed, 1])
    order = tf.random.shuffle(tf.range(12))[:3]
    flip = tf.random.uniform([], maxval=2, dtype=tf.int32)
    order = tf.where(flip == 1 and train, tf.sort(order, direction="DESCENDING"), tf.sort(order))
    if train:
        frames = tf.image.random_crop(frames, size=[64, 64, 6])
        frames = tf.image.random_flip_left_right(frames)
    return (frames[:, :, :3], order[1]), frames[:, :, 3:]


data = tf.data.Dataset.range(320).map(lambda seed: load(seed, True)).batch(16, drop_remainder=True)
features = keras.Sequential([keras.Input((64, 64, 3)), keras.layers.Conv2D(16, 3, activation="relu")])
features.trainable = False
model = keras.Sequential(
    [
        keras.Input((64, 64, 3)),
        keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        keras.layers.Conv2D(3, 3, padding="same"),
    ]
)
optimizer = keras.optimizers.Adam(1e-4)


@tf.function
def train_step(inputs, target):
    frame, _ = inputs
    with tf.GradientTape() as tape:
        guess = model(frame, training=True)
        pairs = [(guess, target), (features(guess), features(target))]
        loss = tf.reduce_sum([tf.reduce_mean(tf.abs(a - b)) for a, b in pairs])
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for inputs, target in data:
    train_step(inputs, target)
