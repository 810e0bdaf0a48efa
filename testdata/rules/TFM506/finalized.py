import tensorflow.compat.v1 as tf

with tf.train.MonitoredTrainingSession() as sess:
    while not sess.should_stop():
        sess.run(tf.reduce_mean(loss))  # want "tf\.reduce_mean\(\) adds operations to a finalized graph\. The loop on line 4 raises RuntimeError: Graph is finalized and cannot be modified\. Create them before the session is opened\.$"
