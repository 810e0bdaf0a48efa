import tensorflow as tf

tf.config.gpu.set_per_process_memory_growth(True)  # want "This call raises AttributeError: TensorFlow 2\.0 removed tf\.config\.gpu\."
