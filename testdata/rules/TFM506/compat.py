import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
x = tf.placeholder(tf.float32, [None, 2])
rate = tf.get_variable("rate", [])
logits = model(x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10000):
        sess.run(train_op, {x: batch})
        sess.run(tf.assign(rate, 0.1 / (step + 1)))  # want "warning: tf\.assign\(\) adds operations to the graph in every loop iteration\. The loop is on line 9, and a graph only grows\. Create them once, before the loop, with a placeholder for what changes\.$"
    for batch in batches:
        loss = tf.reduce_mean(logits)  # want "tf\.reduce_mean\(\) and 2 other calls add operations to the graph in every loop iteration\. The loop is on line 12, and a graph only grows\. Create them once, before the loop, with a placeholder for what changes\.$"
        print(sess.run([loss, tf.nn.softmax(logits)], {x: batch}))
        with tf.name_scope("eval"):
            sess.run(rate.assign(0.5))
    while True:
        for batch in batches:
            sess.run(train_op)
        saver = tf.train.Saver()  # want "tf\.train\.Saver\(\) adds operations to the graph in every loop iteration\. The loop is on line 17, and a graph only grows\. Create them once, before the loop, with a placeholder for what changes\.$"
        saver.save(sess, path)
    values = [sess.run(tf.square(v)) for v in tf.trainable_variables()]  # want "tf\.square\(\) adds operations to the graph in every loop iteration\. The loop is on line 22, and a graph only grows\. Create them once, before the loop, with a placeholder for what changes\.$"
