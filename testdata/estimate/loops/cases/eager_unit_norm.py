import numpy as np
import tensorflow as tf

inputs = tf.keras.Input((64, 64, 3))
x = tf.keras.layers.Conv2D(32, 3, padding="same")(inputs)
x = tf.keras.layers.UnitNormalization()(x)
x = tf.keras.layers.Conv2D(32, 3, padding="same")(x)
x = tf.keras.layers.UnitNormalization(axis=[1, 2])(x)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(10)(x))
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), run_eagerly=True)
images = np.random.rand(96, 64, 64, 3).astype("float32")
labels = np.random.randint(0, 10, 96)
model.fit(images, labels, batch_size=32, epochs=1)
