import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
for units in sizes:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(784,)), tf.keras.layers.Dense(10)])  # want "neither del nor gc.collect\(\) frees them"
    model.compile("adam", "mse")
    model.fit(x, y)
    del model
