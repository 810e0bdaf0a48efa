import tensorflow as tf

print("TensorFlow", tf.__version__)
print(f"with {tf.__version__}")
print("%s" % (tf.version.VERSION,))
print("{}".format(tf.__version__))
AUTOTUNE = tf.data.AUTOTUNE
sess = tf.Session()  # want "has no attribute 'Session'"
