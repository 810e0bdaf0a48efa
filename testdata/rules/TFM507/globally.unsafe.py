import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y)


def alone():
    tf.config.experimental_run_functions_eagerly(run_eagerly=True)  # want "Every tf.function"
