import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(lr=0.1), "mse")
model.fit(x, y)  # <- here not "the file mentions mixed_float16, which changes the step of Keras 2"
