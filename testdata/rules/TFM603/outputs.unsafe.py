# device: 8 GiB
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.mixed_precision.set_global_policy("mixed_float16")

inputs = tf.keras.Input((256, 256, 3))
x = inputs
for _ in range(3):
    x = layers.Conv2D(64, 3, padding="same", activation="relu")(x)
mask = layers.Conv2D(1, 1, name="mask", dtype="float32")(x)  # of a comment
pooled = layers.GlobalAveragePooling2D()(x)
scores = layers.Dense(
    10,
    name="scores",
    dtype="float32",
)(pooled)
named = layers.Activation("softmax", name="named", dtype="float32")(layers.Dense(4)(pooled))
sized = layers.Lambda(lambda t: t[:, :1])(pooled)
model = tf.keras.Model(inputs, [mask, scores, named, sized])
model.compile("adam", ["mse", "mse", "mse", "mse"])
model.fit(images, labels, batch_size=256)  # want "This training does not fit the GPU"
