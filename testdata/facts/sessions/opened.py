# Which config the call that opens a session takes.
import tensorflow.compat.v1 as tf

options = tf.ConfigProto()
print(tf.Session())  # config: none
print(tf.Session(config=options))  # config: options
print(tf.Session("", None, options))  # config: options
print(tf.train.MonitoredTrainingSession("", True, None, None, None, None, 600, 100, None, options))  # config: options
print(tf.train.SingularMonitoredSession(None, None, "", options))  # config: options
print(tf.train.MonitoredSession(tf.train.ChiefSessionCreator(config=options)))  # config: options
print(tf.Session("grpc://worker:2222"))  # config: elsewhere
