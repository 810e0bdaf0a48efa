import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
match len(gpus):
    case 0:
        print("no GPU")
    case 1:
        tf.config.experimental.set_memory_growth(gpus[0], True)
