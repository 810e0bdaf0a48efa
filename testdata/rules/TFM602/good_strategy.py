# device: 4 GiB
import tensorflow as tf

strategy = tf.distribute.experimental.ParameterServerStrategy(resolver)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((4096,)), tf.keras.layers.Dense(1_000_000)])
    model.compile("adam", "mse")
model.fit(data)
