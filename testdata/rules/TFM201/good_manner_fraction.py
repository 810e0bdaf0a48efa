"""A session that may take 70 % of the GPU."""
import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.7
config.gpu_options.allow_growth = True
with tf.compat.v1.Session(config=config) as sess:
    sess.run(train_op)
