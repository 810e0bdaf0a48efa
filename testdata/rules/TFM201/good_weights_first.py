# To load weights in a graph, Keras opens a session of its own.
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.load_weights("weights.h5")
with tf.compat.v1.Session() as sess:
    sess.run(fetches)
