# The size is not known, and the other strategy is not mirrored among the GPUs of one machine.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4)])
    model.compile("adam", "mse")
model.fit(x, y, batch_size=size())

other = tf.distribute.MultiWorkerMirroredStrategy()
with other.scope():
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4)])
    model.compile("adam", "mse")
model.fit(x, y, batch_size=64)
