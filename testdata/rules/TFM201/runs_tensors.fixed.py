import tensorflow as tf

hello = tf.constant("hello world")

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.compat.v1.Session(config=config)  # want "without memory growth"
print(sess.run(hello))
