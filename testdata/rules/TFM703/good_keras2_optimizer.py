import tensorflow as tf
import tf_keras

strategy = tf.distribute.MirroredStrategy()
optimizer = tf_keras.optimizers.Adam()
with strategy.scope():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
