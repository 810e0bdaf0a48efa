import tensorflow as tf

for units in sizes:
    tf.keras.backend.clear_session()
    net = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    net.compile("adam", "mse")
    net.run_eagerly = True
    net.fit(x, y)
