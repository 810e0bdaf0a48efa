"""As a widely read answer has it."""
import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True

with tf.compat.v1.Session(config=config) as sess:
    with tf.compat.v1.train.MonitoredTrainingSession(
            scaffold=scaffold, master='', config=config  # want "error: MonitoredTrainingSession takes no session_creator\. TypeError: MonitoredTrainingSession\(\) got an unexpected keyword argument 'session_creator'\. Pass config=, or use MonitoredSession\.$"
        ) as mon_sess:
        mon_sess.run(train_op)
