import numpy as np
import tensorflow as tf

images, labels = np.zeros((6400, 28, 28, 1), "float32"), np.zeros((6400,), "int32")
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(6400).batch(64)
dataset = dataset.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y))
inputs = tf.keras.Input((28, 28, 1))
outputs = tf.keras.layers.Dense(10)(tf.keras.layers.Flatten()(inputs))
model = tf.keras.Model(inputs, outputs)
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset.cache().batch(64).prefetch(2), epochs=2)  # want "fit\(\) gets batches of batches\. batch\(\) on line 5 makes the first\."
