import tensorflow as tf

config = tf.ConfigProto()
config.device_count["GPU"] = 0
with tf.Session(config=config) as sess:
    sess.run(op)
