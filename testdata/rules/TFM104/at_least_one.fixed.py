import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if len(gpus) == 0:
    raise SystemExit("no GPU")
if len(gpus) < 2:
    raise SystemExit("two GPUs, please")
if len(gpus) != 1:
    print("several")
assert len(gpus) > 0
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth is set on gpus\[0\], and not on the other GPUs\."
