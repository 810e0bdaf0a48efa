# device: 8 GiB
import tensorflow as tf

# A GPU that is named says how much memory there is, not how many of them.
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=32 * strategy.num_replicas_in_sync)
