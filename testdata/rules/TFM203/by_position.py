import tensorflow as tf

with tf.train.MonitoredTrainingSession(is_chief=True, session_creator=tf.train.ChiefSessionCreator(None, target, config=c)) as s:  # want "takes no session_creator"
    s.run(op)
