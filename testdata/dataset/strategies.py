# A strategy hands out what it is given.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
ds = tf.data.Dataset.range(3)
model.fit(strategy.experimental_distribute_dataset(ds))  # dataset: unbatched
model.fit(strategy.experimental_distribute_dataset(ds.batch(2)))  # dataset: batched
model.fit(strategy.distribute_datasets_from_function(f))  # dataset: none
