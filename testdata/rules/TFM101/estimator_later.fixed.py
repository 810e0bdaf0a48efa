"""The first tensor takes the GPU, long before the Estimator opens a session."""
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

numbers = tf.zeros([2])  # want "information: Memory growth is not set: from here TensorFlow takes nearly all memory of every GPU\.$"
estimator = tf.estimator.LinearClassifier(feature_columns=columns)
estimator.train(input_fn)
