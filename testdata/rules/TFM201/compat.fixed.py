"""Operations run eagerly around the session: it runs with soft placement."""
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    y = tf.constant(1) + 1
config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
sess = tf.compat.v1.Session(graph=graph, config=config)  # want "information: This session is opened without memory growth"
print(sess.run(y))
