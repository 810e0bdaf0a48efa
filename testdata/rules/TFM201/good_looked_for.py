import os
import sys

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
print(tf.test.gpu_device_name())
with tf.Session() as session:
    session.run(train_op)
