import tensorflow as tf
physical_devices = tf.config.experimental.list_physical_devices('GPU')
if len(physical_devices) > 0:
    for gpu in physical_devices:
        tf.config.experimental.set_memory_growth(gpu, True)  # want "warning: Memory growth is set on physical_devices\[0\], and not on the other GPUs\. With several visible GPUs TensorFlow raises ValueError: Memory growth cannot differ between GPU devices\.$"

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
