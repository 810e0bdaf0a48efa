# rule: TFM703
# raises: was not created in the distribution strategy scope
# keras: 2
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["CPU:0"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), epochs=1)
