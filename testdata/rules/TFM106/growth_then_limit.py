"""As told in answers: growth first, and a limit as well."""
import tensorflow as tf

gpus = tf.config.experimental.list_physical_devices('GPU')
if gpus:
    try:
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
    except RuntimeError as e:
        print(e)

gpus = tf.config.experimental.list_physical_devices('GPU')
if gpus:
    try:
        tf.config.experimental.set_virtual_device_configuration(  # want "warning: Logical devices make TensorFlow drop memory growth on every GPU, without an error\. Memory growth is set on line 8\. Choose growth or a limit: a process can have both only with TF_FORCE_GPU_ALLOW_GROWTH=true\.$"
            gpus[0], [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=1024)])
    except RuntimeError as e:
        print(e)
