import tensorflow as tf

with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(log_device_placement=True, gpu_options=tf.GPUOptions(allow_growth=True))) as sess:  # want "without memory growth"
    sess.run(build_graph())
