import tensorflow as tf

# Keras 3 makes nothing before a model knows its input, nor for a rate of zero; whether a
# rate that is computed is zero is not known.
model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dropout(0.0), tf.keras.layers.Dropout(rate=float(0))])
model.add(tf.keras.layers.Attention())
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
model.compile("sgd", "mse")
