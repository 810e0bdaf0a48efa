import tensorflow as tf

dogs = tf.data.Dataset.from_tensor_slices(dog_pictures)
cats = tf.data.Dataset.from_tensor_slices(cat_pictures)
mixed = tf.data.Dataset.sample_from_datasets([dogs.repeat(), cats.repeat()]).repeat()
model.fit(mixed.shuffle(1000).batch(32), steps_per_epoch=100)  # want "shuffle\(\) comes after repeat\(\), so it mixes one epoch with the next\. repeat\(\) is on line 5; some examples are seen twice before others are seen once\. Shuffle first\.$"
pairs = tf.data.Dataset.zip((dogs.repeat(), cats.repeat()))
model.fit(pairs.shuffle(1000).batch(32), steps_per_epoch=100)  # want "shuffle\(\) comes after repeat\(\), so it mixes one epoch with the next\. repeat\(\) is on line 7; some examples are seen twice before others are seen once\. Shuffle first\.$"
chosen = tf.data.Dataset.choose_from_datasets([dogs.batch(32).repeat(), cats.batch(32).repeat()], choices)
model.fit(chosen.shuffle(100))  # want "shuffle\(\) comes after batch\(\), so it shuffles batches, not examples\. The step before is on line 9; the buffer holds up to 100 batches, and their contents stay the same\. Shuffle first\.$"
