import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
with tf.compat.v1.Session() as sess:
    sess.run(tf.compat.v1.tpu.initialize_system())
