# Before TensorFlow 2.4 there is no tf.data.AUTOTUNE.
import tensorflow as tf

tf.enable_eager_execution()

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32).prefetch(tf.data.experimental.AUTOTUNE)
model.fit(dataset)  # want "The pipeline that reaches fit\(\) does not prefetch\."
optimizer = tf.train.AdamOptimizer(0.01)
