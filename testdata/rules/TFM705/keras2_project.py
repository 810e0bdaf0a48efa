# keras: 2.13
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(strategy.experimental_distribute_dataset(tf.data.Dataset.range(100).batch(10)))  # want "error: .* Keras 2 raises"
