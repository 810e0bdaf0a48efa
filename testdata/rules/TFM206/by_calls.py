import tensorflow as tf


def warm_up():
    with tf.Session() as sess:
        sess.run(op)


def train():
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
    with tf.Session(config=config) as sess:  # want "per_process_gpu_memory_fraction = 0\.5 has no effect\. The process has taken the GPU with the options of its first session, on line 5, and keeps them\.$"
        sess.run(op)


warm_up()
train()
