"""A comment would be lost: only the other fix is left."""
import tensorflow as tf

with tf.compat.v1.train.MonitoredTrainingSession(
        session_creator=tf.compat.v1.train.ChiefSessionCreator(  # want "takes no session_creator"
            config=config)) as session:
    session.run(train_op)
