from tensorflow import config
from tensorflow.keras import layers

drop = layers.Dropout(0.5)
for gpu in config.list_physical_devices("GPU"):
    config.experimental.set_memory_growth(gpu, True)  # want "layers.Dropout\(\) on line 4 has already initialised the devices, as it does in Keras 3 \(the newest: nothing in the project names a version\), so this call raises RuntimeError"
