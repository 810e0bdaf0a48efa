import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.config.list_logical_devices\(\) on line 5 has already initialised the devices, so this call raises RuntimeError"

if tf.config.list_physical_devices("GPU"):
    print("GPU:", tf.config.list_logical_devices("GPU"))
else:
    print("no GPU")

if len(gpus) == 0:
    raise SystemExit
