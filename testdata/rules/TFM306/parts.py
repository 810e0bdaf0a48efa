import tensorflow as tf

inputs = tf.data.Dataset.from_tensor_slices(pictures).batch(32)
targets = tf.data.Dataset.from_tensor_slices(labels).batch(32)
both = tf.data.Dataset.zip((inputs, targets)).shuffle(100)  # want "shuffle\(\) comes after batch\(\), so it shuffles batches, not examples\. The step before is on line 3; the buffer holds up to 100 batches, and their contents stay the same\. Shuffle first\.$"
model.fit(both)

mixed = tf.data.Dataset.sample_from_datasets([inputs.repeat(), targets.repeat()])
model.fit(mixed.map(f).shuffle(10))  # want "shuffle\(\) comes after batch\(\), so it shuffles batches, not examples\. The step before is on line 3; the buffer holds up to 10 batches, and their contents stay the same\. Shuffle first\.$"
