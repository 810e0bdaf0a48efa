import tensorflow as tf
import tensorflow.contrib.eager as tfe

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
model.fit(dataset)  # want "No step of the pipeline that reaches fit\(\) prefetches"
value = tfe.Variable
