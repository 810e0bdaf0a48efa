# rule: TFM203
# raises: TypeError: MonitoredTrainingSession() got an unexpected keyword argument 'session_creator'
# gpus: 0
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
step = tf.train.get_or_create_global_step()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.train.MonitoredTrainingSession(session_creator=tf.train.ChiefSessionCreator(config=config)) as session:
    session.run(step)
