import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32)
mean = tf.reduce_mean(x)
for i in range(3):
    x = tf.layers.dense(x, 10)
init = tf.global_variables_initializer()
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(init)
    for step in range(1000):
        sess.run(mean, {x: [step]})
        tf.logging.info("step %d", step)
        summary = tf.Summary()
        graph = tf.get_default_graph()
        tensor = graph.get_tensor_by_name("x:0")
        saver.save(sess, path)
    for step in tf.range(3):
        pass
