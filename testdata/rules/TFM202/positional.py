import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.compat.v1.Session(config)  # want "warning: The first argument of Session is not its config\. Pass the config by name: TypeError: Argument `target` must be a string, but got \"ConfigProto\"\. Did you do \"Session\(config\)\" instead of \"Session\(config=config\)\"\?$"
interactive = tf.compat.v1.InteractiveSession(tf.compat.v1.ConfigProto(), graph=g)  # want "The first argument of InteractiveSession"
monitored = tf.compat.v1.train.MonitoredTrainingSession(config, True)  # want "The first argument of MonitoredTrainingSession"
singular = tf.compat.v1.train.SingularMonitoredSession(config)  # want "TypeError: 'ConfigProto' object is not iterable"
creator = tf.compat.v1.train.ChiefSessionCreator(config)  # want "AttributeError: finalize"
