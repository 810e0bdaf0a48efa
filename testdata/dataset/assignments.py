# Pipelines over assignments, branches and loops.
import tensorflow as tf
import tensorflow_datasets as tfds

ds = tf.data.Dataset.range(10)
ds = ds.shuffle(10)
ds = ds.map(lambda x: x)  # dataset: unbatched
model.fit(ds)  # dataset: unbatched
ds = ds.batch(2)
model.fit(ds)  # dataset: batched
alias = ds
model.fit(alias)  # dataset: batched

if flag:
    either = tf.data.Dataset.range(10).batch(2)
else:
    either = tf.data.Dataset.range(20)
model.fit(either)  # dataset: unknown

if flag:
    same = tf.data.Dataset.range(10).batch(2)
else:
    same = tf.data.Dataset.range(20).batch(2)
model.fit(same)  # dataset: batched

maybe = tf.data.Dataset.range(10)
if flag:
    maybe = maybe.batch(2)
model.fit(maybe)  # dataset: unknown

early = tf.data.Dataset.range(10)
if flag:
    early = np.zeros(10)
model.fit(early)  # dataset: none

looped = tf.data.Dataset.range(10)
for f in functions:
    looped = looped.map(lambda x: x)
model.fit(looped)  # dataset: unbatched

grows = tf.data.Dataset.range(10)
for f in functions:
    grows = grows.batch(2)
model.fit(grows)  # dataset: unknown

model.fit(ds if flag else same)  # dataset: batched
model.fit(ds if flag else looped)  # dataset: unknown
model.fit((w := tf.data.Dataset.range(3)))  # dataset: unbatched
model.fit(w.batch(3))  # dataset: batched

train, test = tf.data.Dataset.range(3), tf.data.Dataset.range(3).batch(2)
model.fit(train)  # dataset: unbatched
model.fit(test)  # dataset: batched
(train, test), info = tfds.load("mnist", split=["train", "test"], with_info=True)
model.fit(train)  # dataset: unbatched
model.fit(info)  # dataset: none
data, info = tfds.load("mnist", with_info=True)
model.fit(data["train"])  # dataset: unbatched
model.fit(info)  # dataset: none
train, test = tfds.load("mnist", split=["train", "test"], batch_size=3)
model.fit(test)  # dataset: batched
for batch in ds:
    model.fit(batch)  # dataset: none
circle = circle.batch(2)
model.fit(circle)  # dataset: none
