# Loops that run no model on what the pipeline yields, or pipelines that have nothing to prepare.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(32)
noise = tf.random.normal([16, 100])

for images, labels in test_ds:  # no model
    show(images)
for images, labels in test_ds:  # a model of another input
    show(images, model(noise))
for step, (images, labels) in enumerate(test_ds):  # the counter is no element
    show(images, model(noise * step))
for images, labels in test_ds.take(3):  # a look at a few
    show(model(images))
for images, labels in test_ds:
    model(images)  # builds it
    break
for i, (images, labels) in enumerate(test_ds):
    if i == 5:
        break
    show(model(images))
for images, labels in test_ds.prefetch(2):
    model(images)
for images, labels in test_ds.cache():  # ready after the first epoch
    model(images)
for x in tf.data.Dataset.range(100):
    model(tf.reshape(tf.cast(x, tf.float32), (1, 1)))
for x in tf.data.Dataset.from_tensors(x_test).repeat(10):
    model(x)
for x in unknown(test_ds):
    model(x)


def batches():
    for images, labels in test_ds:
        yield images


for x in batches():
    model(x)
