# device: 1600 MiB
# keras: 3.15
# Arrays in host memory leave a larger batch than a smaller batch alone, at no other cost. A step of two tapes has no
# parts.
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

BATCH = 509

(pictures, _), _ = keras.datasets.cifar10.load_data()
pictures = pictures.astype("float32") / 255.0
data = tf.data.Dataset.from_tensor_slices(pictures).shuffle(1000).batch(BATCH)

maker = keras.Sequential([
    layers.Input((64,)),
    layers.Dense(8 * 8 * 64),
    layers.Reshape((8, 8, 64)),
    layers.Conv2DTranspose(128, 4, 2, padding="same", activation="relu"),
    layers.Conv2DTranspose(3, 4, 2, padding="same"),
])
judge = keras.Sequential([
    layers.Input((32, 32, 3)),
    layers.Conv2D(128, 4, padding="same", activation="relu"),
    layers.Conv2D(64, 4, 2, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(1),
])
loss = keras.losses.BinaryCrossentropy(from_logits=True)
makes, judges = keras.optimizers.Adam(1e-4), keras.optimizers.Adam(1e-4)


@tf.function
def step(real):
    noise = tf.random.normal([BATCH, 64])
    with tf.GradientTape() as first, tf.GradientTape() as second:
        made = maker(noise, training=True)
        on_real, on_made = judge(real, training=True), judge(made, training=True)
        fooled = loss(tf.ones_like(on_made), on_made)
        told = loss(tf.ones_like(on_real), on_real) + loss(tf.zeros_like(on_made), on_made)
    makes.apply_gradients(zip(first.gradient(fooled, maker.trainable_variables), maker.trainable_variables))
    judges.apply_gradients(zip(second.gradient(told, judge.trainable_variables), judge.trainable_variables))


for epoch in range(10):
    for batch in data:
        step(batch)
