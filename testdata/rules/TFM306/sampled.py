import tensorflow as tf

dogs = tf.data.Dataset.from_tensor_slices(dog_pictures)
cats = tf.data.Dataset.from_tensor_slices(cat_pictures)
mixed = tf.data.Dataset.sample_from_datasets([dogs.repeat(), cats.repeat()]).repeat()
model.fit(mixed.shuffle(1000).batch(32), steps_per_epoch=100)  # want "shuffle\(\) comes after repeat\(\) on line 5"
pairs = tf.data.Dataset.zip((dogs.repeat(), cats.repeat()))
model.fit(pairs.shuffle(1000).batch(32), steps_per_epoch=100)  # want "shuffle\(\) comes after repeat\(\) on line 7"
chosen = tf.data.Dataset.choose_from_datasets([dogs.batch(32).repeat(), cats.batch(32).repeat()], choices)
model.fit(chosen.shuffle(100))  # want "shuffle\(\) comes after batch\(\) on line 9"
