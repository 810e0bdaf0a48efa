import tensorflow.compat.v1 as tf


def options(gpus):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list=gpus))


one = tf.ConfigProto()
one.gpu_options.visible_device_list = "0"
two = tf.ConfigProto()
two.gpu_options.visible_device_list = '1'
first = tf.Session(config=one)
second = tf.Session(config=two)  # want "error: This visible_device_list conflicts with the one of the first session\. The first session, on line 12, maps the device to GPU 0, and this one to GPU 1, which raises AlreadyExistsError\. Give all sessions of a process the same visible_device_list\.$"
