import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).batch(256)
model.fit(x, y, batch_size=32, validation_data=train)  # want "validation_batch_size is ignored: fit\(\) uses the batches of the Dataset\."
model.fit(train, validation_data=train)  # want "warning: batch_size is ignored"
model.fit(train, validation_data=(x_val, y_val), validation_batch_size=64)  # want "warning: batch_size is ignored"
model.fit(train, validation_data=None)  # want "warning: batch_size is ignored"
