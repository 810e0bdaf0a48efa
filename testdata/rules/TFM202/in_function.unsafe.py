import tensorflow.compat.v1 as tf


def train():
    gpu_options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)  # want "warning: The GPUOptions gpu_options is never passed to a session, so it has no effect\. It sets per_process_gpu_memory_fraction on line 5\. A session reads its options from its config argument only\.$"
    config = tf.ConfigProto()  # want "warning: The ConfigProto config is never passed to a session, so it has no effect\. A session reads its options from its config argument only\.$"
    config.log_device_placement = True
    return tf.Session(config=config)


def unfinished():
    config = tf.ConfigProto()  # want "never passed to a session"
    config.device_count["GPU"] = 0
    config.gpu_options.experimental.virtual_devices.add()
    print(config)


def train(args):
    config = tf.ConfigProto()  # want "never passed to a session"
    config.log_device_placement = True
    print(vars(args))
