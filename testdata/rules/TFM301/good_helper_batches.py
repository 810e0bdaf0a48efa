import tensorflow as tf


def prepare(ds, batch):
    ds = ds.shuffle(100)
    return ds.batch(batch)


model.fit(prepare(tf.data.Dataset.from_tensor_slices((x, y)), 32))
