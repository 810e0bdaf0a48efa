import neurolab as nl
import tensorflow as tf

nl.tf.utils.setup_device(0)

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=32)
