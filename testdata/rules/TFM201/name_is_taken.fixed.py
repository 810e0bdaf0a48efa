import tensorflow.compat.v1 as tf

config = load("settings.yaml")
tf.disable_v2_behavior()
session_config = tf.ConfigProto()
session_config.gpu_options.allow_growth = True
sess = tf.Session(config=session_config)  # want "without memory growth"
