# Under TensorFlow 1 zeros() is an operation of a graph: TFM201 speaks of the Estimator.
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.INFO)
bias = tf.zeros([2])
estimator = tf.estimator.Estimator(model_fn)
estimator.train(input_fn)
