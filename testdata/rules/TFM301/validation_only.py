import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y))
train_ds = ds.skip(100).batch(32)
val_ds = ds.take(100)
model.fit(train_ds, validation_data=val_ds)  # want "reaches fit\(\) without a batch"
print(next(iter(val_ds)))
