import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32).prefetch(2)
model.fit(train)
model.fit(train.take(3))
model.fit(tf.data.Dataset.range(10).batch(2).apply(tf.data.experimental.prefetch_to_device("/GPU:0")))
model.fit(tf.data.Dataset.range(10).batch(2).apply(elsewhere))


def prepared(ds, on):
    ds = ds.batch(32)
    if on:
        ds = ds.prefetch(1)
    return ds


model.fit(prepared(tf.data.Dataset.range(10), True))


def train(ds: tf.data.Dataset):
    model.fit(ds)


model.fit(x, y)
model.fit(given())
model.fit(strategy.experimental_distribute_dataset(train))
model.fit(generator())

# These prefetch themselves.
model.fit(tf.keras.utils.image_dataset_from_directory("pictures").map(augment))
model.fit(tf.keras.preprocessing.timeseries_dataset_from_array(x, y, 10))
model.fit(tf.data.experimental.make_csv_dataset("a.csv", 32))
