# device: 8 GiB
import tensorflow as tf
from tensorflow.keras import layers

inputs = tf.keras.Input((256, 256, 3))
x = inputs
for _ in range(3):
    x = layers.Conv2D(64, 3, padding="same", activation="relu")(x)
mask = layers.Conv2D(1, 1, name="mask")(x)  # of a comment
pooled = layers.GlobalAveragePooling2D()(x)
scores = layers.Dense(
    10,
    name="scores",
)(pooled)
named = layers.Activation("softmax", name="named")(layers.Dense(4)(pooled))
sized = layers.Lambda(lambda t: t[:, :1])(pooled)
model = tf.keras.Model(inputs, [mask, scores, named, sized])
model.compile("adam", ["mse", "mse", "mse", "mse"])
model.fit(images, labels, batch_size=256)  # want "With mixed_float16 this training needs about 14\.1 GiB less memory\."
