import tensorflow as tf

a = tf.train.MonitoredTrainingSession("", True, session_creator=creator)  # want "takes no session_creator"
b = tf.train.MonitoredTrainingSession(session_creator=tf.train.ChiefSessionCreator(config=c), config=d)  # want "takes no session_creator"
c = tf.train.MonitoredTrainingSession(session_creator=tf.train.WorkerSessionCreator(config=c), **more)  # want "takes no session_creator"
d = tf.train.MonitoredTrainingSession(checkpoint_dir=e, session_creator=tf.train.ChiefSessionCreator(checkpoint_filename_with_path=f))  # want "takes no session_creator"
