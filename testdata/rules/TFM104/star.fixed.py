import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    first, *rest = gpus
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth is set on first, and not on the other GPUs\."
