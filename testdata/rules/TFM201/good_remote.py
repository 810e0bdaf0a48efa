import tensorflow as tf

server = tf.train.Server.create_local_server()
with tf.Session(server.target) as sess:
    sess.run(op)
