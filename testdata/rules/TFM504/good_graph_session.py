# Whether the session of each model is closed is not followed.
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
for units in sizes:
    session = tf.Session()
    tf.keras.backend.set_session(session)
    model = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(784,)), tf.keras.layers.Dense(10)])
    model.compile("adam", "mse")
    model.fit(x, y)
    session.close()
