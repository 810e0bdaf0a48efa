import tensorflow as tf
from tensorflow.python.client.session import Session

y = tf.get_variable("y", [1])
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with Session(config=config) as sess:  # want "without memory growth"
    sess.run(y)
