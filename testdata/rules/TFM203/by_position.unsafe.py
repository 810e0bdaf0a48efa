import tensorflow as tf

with tf.train.MonitoredTrainingSession(is_chief=True, scaffold=None, master=target, config=c) as s:  # want "takes no session_creator"
    s.run(op)
