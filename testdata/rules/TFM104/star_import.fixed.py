from tensorflow import *

gpus = config.list_physical_devices("GPU")
for gpu in gpus:
    config.experimental.set_memory_growth(gpu, True)  # want "gpus\[0\]"
