# Each part of what is sampled may be repeated, to oversample it: the whole is not.
import tensorflow as tf

dogs = tf.data.Dataset.from_tensor_slices(dog_pictures).repeat()
cats = tf.data.Dataset.from_tensor_slices(cat_pictures).repeat()
mixed = tf.data.Dataset.sample_from_datasets([dogs, cats], weights=[0.5, 0.5]).shuffle(1000).batch(32)
model.fit(mixed, steps_per_epoch=100)
chosen = tf.data.Dataset.choose_from_datasets([dogs, cats], tf.data.Dataset.range(2).repeat())
model.fit(chosen.shuffle(1000).batch(32), steps_per_epoch=100)
older = tf.data.experimental.sample_from_datasets([dogs.repeat(), cats.repeat()])
older = older.map(f)
older = older.shuffle(1000)
model.fit(older.batch(32), steps_per_epoch=100)
pairs = tf.data.Dataset.zip((mixed, tf.data.Dataset.range(9).repeat()))
model.fit(tf.data.Dataset.zip((chosen, dogs)).shuffle(1000).batch(32))
classes = []
for pictures in by_class:
    one = tf.data.Dataset.from_tensor_slices(pictures).repeat()
    one = one.shuffle(1000)
    classes.append(one)
model.fit(tf.data.Dataset.sample_from_datasets(classes).batch(32), steps_per_epoch=100)
