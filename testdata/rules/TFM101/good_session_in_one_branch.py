# One of the branches opens a session before anything runs eagerly: TFM201's.
import sys

import tensorflow as tf
import tensorflow.compat.v1 as tf1

if sys.argv[1] == "eager":
    model = tf.keras.models.load_model("model.keras")
    model.predict(x)
else:
    with tf1.Session() as session:
        session.run("out:0")
