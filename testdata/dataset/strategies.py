# A strategy hands out what it is given.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
ds = tf.data.Dataset.range(3)
model.fit(strategy.experimental_distribute_dataset(ds))  # dataset: unbatched
model.fit(strategy.experimental_distribute_dataset(ds.batch(2)))  # dataset: batched
model.fit(strategy.distribute_datasets_from_function(f))  # dataset: unknown
model.fit(strategy.distribute_datasets_from_function(lambda context: ds.batch(2)))  # dataset: batched
model.fit(strategy.experimental_distribute_datasets_from_function(lambda context: ds))  # dataset: unbatched
model.fit(given.experimental_distribute_dataset(ds))  # dataset: unbatched
model.fit(tf.distribute.get_strategy().experimental_distribute_dataset(elsewhere()))  # dataset: unknown
model.fit(ds.experimental_distribute_dataset(ds))  # dataset: none
model.fit(strategy.experimental_distribute_dataset(ds).batch(2))  # dataset: none


def made(context):
    return ds.batch(context.get_per_replica_batch_size(64))


model.fit(strategy.distribute_datasets_from_function(made))  # dataset: batched
model.fit(tf.keras.utils.experimental.DatasetCreator(made))  # dataset: batched


def given_or_not(strategy=None):
    made = ds.batch(2)
    if strategy is not None:
        made = strategy.experimental_distribute_dataset(made)
    return made


both = given_or_not(chosen())  # dataset: batched  # kind: distributed
