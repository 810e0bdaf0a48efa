import tensorflow as tf
import tensorflow.contrib.eager as tfe

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
model.fit(dataset)  # want "The pipeline that reaches fit\(\) does not prefetch\."
value = tfe.Variable
