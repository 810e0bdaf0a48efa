# keras: 3.8
import gc
import tensorflow as tf
from tensorflow.keras import backend as K

for units in sizes:
    K.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "^hint: .* whose variables stay\. .* not these variables\. Train each in a process of its own \(the rewrite own-process\)\.$"
    model.compile("adam", "mse")
    model.fit(x, y)
