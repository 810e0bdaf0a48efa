# keras: 2.13
# No variables stay: it is an older TensorFlow, in a loop that clears and collects.
import gc
import tensorflow as tf
from tensorflow.keras import backend as K

for units in sizes:
    K.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    model.fit(x, y)
