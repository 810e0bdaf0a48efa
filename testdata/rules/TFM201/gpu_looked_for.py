import tensorflow.compat.v1 as tf
from tensorflow.python.client import device_lib

tf.disable_v2_behavior()


def gpus():
    return [d.name for d in device_lib.list_local_devices() if d.device_type == "GPU"]  # want "device_lib\.list_local_devices\(\) takes nearly all free memory of every visible GPU\. The options of the session on line 14 come too late: a process creates the allocator once, when it first uses a GPU\. Look for GPUs after opening the session, or, in TensorFlow 2, with tf\.config\.list_physical_devices\(\"GPU\"\)\.$"


print(gpus())
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(train_op)
