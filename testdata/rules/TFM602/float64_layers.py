# device: 12 GiB
import tensorflow as tf

# The layers themselves say float64, so the setting changes nothing.
model = tf.keras.Sequential([tf.keras.layers.Input((4096,))] + [tf.keras.layers.Dense(4096, dtype="float64") for _ in range(32)])
model.compile(optimizer="sgd", loss="mse")
model.fit(images, labels, batch_size=8)
