# Examples are shuffled before they are zipped, or not all that is zipped is batched or repeated.
import tensorflow as tf

inputs = tf.data.Dataset.from_tensor_slices(pictures)
targets = tf.data.Dataset.from_tensor_slices(labels)
shuffled = tf.data.Dataset.zip((inputs.shuffle(1000).batch(32), targets.batch(32)))
model.fit(shuffled.shuffle(10))
model.fit(tf.data.Dataset.zip((inputs, targets.repeat())).shuffle(100).batch(8))
model.fit(tf.data.Dataset.zip((inputs.batch(2), targets.batch(2))).unbatch().shuffle(100).batch(8))
model.fit(inputs.batch(8).concatenate(targets.batch(8)).shuffle(10))
