import tensorflow.compat.v1 as tf

if not (tf.test.is_gpu_available()):
    raise SystemExit("no GPU")
for gpu in tf.config.list_physical_devices('GPU')[0:]:
    if input(gpu.name):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.test.is_gpu_available\(\) on line 3"
