# TFM201 speaks of the session, which comes first.
import tensorflow as tf

with tf.compat.v1.Session(graph=graph) as session:
    session.run("out:0")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.fit(x, y)
