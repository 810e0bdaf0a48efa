import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
strategy.scope().__enter__()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
with strategy.scope():
    model.compile("adam", "mse")
