"""Growth is meant; what is wrong with it is another rule's."""
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.set_memory_growth(gpu, True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(x, y)
