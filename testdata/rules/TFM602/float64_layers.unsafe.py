# device: 12 GiB
import tensorflow as tf

# The layers themselves say float64.
model = tf.keras.Sequential([tf.keras.layers.Input((4096,))] + [tf.keras.layers.Dense(4096, dtype="float32") for _ in range(32)])
model.compile(optimizer="adam", loss="mse")
model.fit(images, labels, batch_size=8)  # want "error: .*In float32, training would need about 6\.07 GiB and perhaps fit\. With RMSprop"
