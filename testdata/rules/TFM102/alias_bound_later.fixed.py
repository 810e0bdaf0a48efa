import tensorflow as tf

cfg = tf.config.experimental
for g in tf.config.list_physical_devices("GPU"):
    cfg.set_memory_growth(g, True)  # want "tf.constant\(\) on line 4"

x = tf.constant([1.0])
