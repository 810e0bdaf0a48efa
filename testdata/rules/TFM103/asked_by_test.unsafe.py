import tensorflow as tf

if tf.config.list_physical_devices('GPU'):
    for gpu in tf.config.list_physical_devices('GPU'):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.test.is_gpu_available\(\) on line 3"
