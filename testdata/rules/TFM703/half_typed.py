import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "warning"
with strategy.scope():
    model.compile("adam", "mse")
model.fit(
