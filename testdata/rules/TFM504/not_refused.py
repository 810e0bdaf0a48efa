# Images of 75 pixels are enough for InceptionV3.
import tensorflow as tf

for lr in [0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12]:
    base = tf.keras.applications.InceptionV3(weights=None, include_top=False, input_shape=(75, 75, 3))
    model = tf.keras.Sequential([base, tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])  # want "builds another model"
    model.compile("adam", "mse")
    model.fit(x, y)
