import tensorflow as tf

base = tf.keras.applications.VGG16(include_top=False, weights=None, input_shape=(224, 224, 3))
x = tf.keras.layers.Flatten(name="flat")(base.output)
x = tf.keras.layers.Dense(4096, activation="relu")(x)  # want "This layer has 102764544 of the model's 117520202 parameters\. It has one per unit for each of the [\d.]+ numbers that Flatten produces from \(7, 7, 512\): 392 MiB, and 784 MiB with gradients during training\. After global pooling it would have about [\d.]+ \([\d.]+ MiB\)\.$"
model = tf.keras.Model(base.input, tf.keras.layers.Dense(10)(x))
