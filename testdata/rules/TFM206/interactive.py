"""InteractiveSession() sets growth itself."""
import tensorflow as tf

sess = tf.InteractiveSession()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
same = tf.Session(config=config)
config.gpu_options.per_process_gpu_memory_fraction = 0.5
less = tf.Session(config=config)  # want "per_process_gpu_memory_fraction = 0.5 has no effect"
