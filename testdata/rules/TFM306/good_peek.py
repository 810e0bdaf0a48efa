# A look at the data, and a split: the cache is read to its end elsewhere.
import tensorflow as tf

ds = tf.data.TFRecordDataset(files).map(parse).cache()
for example in ds.take(1):
    print(example)
for example in tf.data.TFRecordDataset(files).cache().take(1):
    print(example)
train, test = ds.take(800).repeat(), ds.skip(800)
model.fit(train.batch(4))
batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
first, _ = next(iter(batches.shuffle(100)))
for images, labels in batches.shuffle(100).take(1):
    print(images.shape)
