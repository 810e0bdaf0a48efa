import tensorflow.compat.v1 as tf


def options(gpus):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list=gpus))


one = tf.ConfigProto()
one.gpu_options.visible_device_list = "0"
two = tf.ConfigProto()
two.gpu_options.visible_device_list = '1'
first = tf.Session(config=one)
second = tf.Session(config=two)  # want "error: The first session, on line 12, has made GPU 0 the device that GPU 1 is to be here: AlreadyExistsError\. All sessions of a process need the same visible_device_list\."
