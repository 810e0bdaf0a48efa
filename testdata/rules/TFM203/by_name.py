from tensorflow.compat.v1 import train

creator = train.ChiefSessionCreator(config=config)
with train.MonitoredTrainingSession(session_creator=creator, hooks=hooks) as session:  # want "takes no session_creator"
    session.run(train_op)
