import tensorflow as tf

# Keras 3 makes nothing before a model knows its input.
model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dropout(0.5)])
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
model.compile("sgd", "mse")
