import tensorflow.compat.v1 as tf

config = load("settings.yaml")
tf.disable_v2_behavior()
sess = tf.Session()  # want "without memory growth"
