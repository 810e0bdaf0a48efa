import tensorflow as tf

gpu = next(iter(tf.config.list_physical_devices("GPU")), None)
if gpu is not None:
    for physical_gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(physical_gpu, True)  # want "Memory growth is set on next\(iter\(tf\.config\.list_physical_devices\(\"GPU\"\)\), None\), and not on the other GPUs\. With several visible GPUs TensorFlow raises ValueError: Memory growth cannot differ between GPU devices\.$"
