# The session is opened while eager execution is on. Only what stands in the with statement builds
# its graph.
import tensorflow as tf

config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with tf.compat.v1.Session(config=config) as session:  # want "This session is opened without memory growth"
    sides = tf.compat.v1.placeholder(tf.float32, shape=(None, 3))
    print(session.run(sides * 2, feed_dict={sides: [[3.0, 4.0, 5.0]]}))
