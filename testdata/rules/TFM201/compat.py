"""Operations run eagerly around the session: it runs with soft placement."""
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    y = tf.constant(1) + 1
sess = tf.compat.v1.Session(graph=graph)  # want "information: This session is opened without memory growth"
print(sess.run(y))
