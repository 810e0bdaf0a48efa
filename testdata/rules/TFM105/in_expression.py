import tensorflow as tf

done = [tf.config.experimental.set_memory_growth("/GPU:0", e) for e in (True,)]  # want "Unrecognized device"
