import tensorflow as tf
import tensorflow.contrib.eager as tfe

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32).prefetch(tf.data.experimental.AUTOTUNE)
model.fit(dataset)  # want "The pipeline that reaches fit\(\) does not prefetch\."
value = tfe.Variable
