import tensorflow as tf

inputs = tf.data.Dataset.from_tensor_slices(pictures).batch(32)
targets = tf.data.Dataset.from_tensor_slices(labels).batch(32)
model.fit(tf.data.Dataset.zip((inputs, targets)))  # want "The pipeline that reaches fit\(\) does not prefetch\."
