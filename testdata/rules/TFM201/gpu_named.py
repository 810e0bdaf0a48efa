import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
if tf.test.gpu_device_name():  # want "tf.test.gpu_device_name\(\) takes nearly all free memory"
    print("Default GPU Device: {}".format(tf.test.gpu_device_name()))
else:
    print("Please install GPU version of TF")
x = tf.placeholder(tf.float32, [None, 4])
with tf.Session() as session:
    session.run(x, {x: data})
