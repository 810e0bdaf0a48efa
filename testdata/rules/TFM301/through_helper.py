import tensorflow as tf
from tensorflow.data import Dataset


def prepare(ds, training=False):
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y))
    if training:
        ds = ds.shuffle(1000)
    return ds.prefetch(1)


train = prepare(Dataset.from_tensor_slices((x_train, y_train)), training=True)
test = prepare(Dataset.from_tensor_slices((x_test, y_test))).batch(32)
model.fit(train, validation_data=test)  # want "Dataset.from_tensor_slices on line 12"
