import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = "0"
with tf.Session(config=config) as sess:
    with tf.train.MonitoredTrainingSession(config=config) as session:
        session.run(op)
with tf.Session() as sess:
    sess.run(op)
more = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True, visible_device_list="0, 1"))
with tf.Session(config=more) as sess:
    sess.run(op)
