# Keras 3 refuses the KerasTensors in tf.concat: it can only be Keras 2, which takes the optimizer.
import tensorflow as tf

layers = tf.keras.layers
optimizer = tf.keras.optimizers.Adam()
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    ids, values = layers.Input((1,)), layers.Input((4,))
    x = tf.concat([layers.Embedding(10, 4)(ids)[:, 0], values], axis=-1)
    model = tf.keras.Model([ids, values], layers.Dense(1)(x))
    model.compile(loss="mse", optimizer=optimizer)
model.fit([tf.zeros([64, 1]), tf.zeros([64, 4])], tf.zeros([64, 1]))
