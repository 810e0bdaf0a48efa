"""An Estimator opens its sessions when it trains."""
import tensorflow as tf

estimator = tf.estimator.Estimator(model_fn)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(op)
estimator.train(input_fn)
