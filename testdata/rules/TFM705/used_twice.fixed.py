import tensorflow as tf
import tf_keras as keras

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")

plain = tf.data.Dataset.range(100).batch(10)
distributed = strategy.experimental_distribute_dataset(plain)
for batch in distributed:
    strategy.run(train_step, args=(batch,))
model.fit(plain)  # want "error: .* on line 10"

plain = plain.map(double)
rebound = strategy.experimental_distribute_dataset(plain)
plain = None
for batch in rebound:
    strategy.run(train_step, args=(batch,))
# What was distributed is no longer there under its name.
model.fit(rebound)  # want "error: .* on line 16"
