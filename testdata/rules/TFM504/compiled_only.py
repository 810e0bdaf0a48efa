"""Models that are only compiled have their weights if their input's shape is stated, or if other code may run them."""
import tensorflow as tf

for units in sizes:
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, input_shape=(3000,)), tf.keras.layers.Dense(1)])  # want "loop on line 4"
    model.compile("adam", "mse")
for units in sizes:
    model = tf.keras.Sequential()  # want "loop on line 7"
    model.add(tf.keras.Input((3,)))
    model.add(tf.keras.layers.Dense(units))
    model.compile("adam", "mse")
for units in sizes:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "loop on line 12"
    model.compile("adam", "mse")
    evaluate(model)
for units in sizes:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "loop on line 16"
    model.build((None, 3))
    model.compile("adam", "mse")
