import tensorflow as tf

tf.random.set_seed(0)
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))  # want "error: TensorFlow 2 has this name in tf\.compat\.v1 only\. Under TensorFlow 2, which tf\.random\.set_seed on line 3 needs, it raises AttributeError: module 'tensorflow' has no attribute 'ConfigProto'\.$" "has no attribute 'GPUOptions'"
with tf.Session(config=config) as sess:  # want "has no attribute 'Session'"
    with tf.train.MonitoredTrainingSession(config=config) as monitored:  # want "AttributeError: module 'tensorflow._api.v2.train' has no attribute 'MonitoredTrainingSession'"
        monitored.run(op)


def later():
    if big:
        return tf.InteractiveSession()  # want "has no attribute 'InteractiveSession'"
