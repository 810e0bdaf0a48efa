import tensorflow as tf

inputs = tf.data.Dataset.from_tensor_slices(pictures).batch(32)
targets = tf.data.Dataset.from_tensor_slices(labels).batch(32)
both = tf.data.Dataset.zip((inputs, targets)).shuffle(100)  # want "shuffle\(\) comes after batch\(\) on line 3"
model.fit(both)

mixed = tf.data.Dataset.sample_from_datasets([inputs.repeat(), targets.repeat()])
model.fit(mixed.map(f).shuffle(10))  # want "shuffle\(\) comes after batch\(\) on line 3"
