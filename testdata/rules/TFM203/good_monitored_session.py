import tensorflow as tf

with tf.train.MonitoredSession(session_creator=tf.train.ChiefSessionCreator(config=config)) as session:
    session.run(op)
with tf.train.MonitoredTrainingSession(config=config) as session:
    session.run(op)
with my.MonitoredTrainingSession(session_creator=creator) as session:
    session.run(op)
with tf.train.MonitoredTrainingSession(**{"session_creator": creator}) as session:
    session.run(op)
with tf.train.MonitoredTrainingSession(session_creator
