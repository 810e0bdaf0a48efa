import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(op)
