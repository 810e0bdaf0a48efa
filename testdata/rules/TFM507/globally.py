import tensorflow as tf

tf.config.run_functions_eagerly(True)  # want "information: Every tf\.function of the program runs eagerly from here on\. So does training, operation by operation\. Eager mode is for debugging, and slows training down\.$"
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.run_eagerly = True  # want "With model.run_eagerly = True each training step runs eagerly"
model.fit(x, y)


def alone():
    tf.config.experimental_run_functions_eagerly(run_eagerly=True)  # want "Every tf.function"
