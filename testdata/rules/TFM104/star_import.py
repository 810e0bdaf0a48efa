from tensorflow import *

gpus = config.list_physical_devices("GPU")
config.experimental.set_memory_growth(gpus[0], True)  # want "gpus\[0\]"
