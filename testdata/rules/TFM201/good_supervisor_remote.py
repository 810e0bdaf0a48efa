# The session runs in the process of the server.
import tensorflow as tf

loss = build(tf.placeholder(tf.float32, [None, 4]))
server = tf.train.Server(cluster)
sv = tf.train.Supervisor(logdir="logs")
with sv.managed_session(server.target) as sess:
    sess.run(loss)
