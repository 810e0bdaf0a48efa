# The strategy has taken the GPUs, with tf.config's options.
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
strategy = tf.distribute.MirroredStrategy()
config = tf.estimator.RunConfig(train_distribute=strategy)
estimator = tf.estimator.Estimator(model_fn, config=config)
estimator.train(input_fn)
