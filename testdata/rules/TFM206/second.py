import tensorflow as tf

sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))
sess.run(op)

config = tf.ConfigProto()
config.allow_soft_placement = True
soft = tf.Session(config=config)

config.gpu_options.allow_growth = True
grow = tf.Session(config=config)  # want "information: allow_growth = True has no effect\. The process has taken the GPU with the options of its first session, on line 3, and keeps them\.$"

config.gpu_options.per_process_gpu_memory_fraction = 0.4
limited = tf.Session(config=config)  # want "information: allow_growth = True has no effect"
fraction = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4)))  # want "per_process_gpu_memory_fraction = 0.4 has no effect"
