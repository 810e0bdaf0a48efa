import gc

import keras
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")  # want "warning: clear_session\(\) on line 13 drops this policy\. It is part of the state that Keras 3 resets: from the second iteration on, the layers compute in float32\."

for width in (64, 128, 256):
    model = keras.Sequential([keras.Input((32,)), layers.Dense(width), layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    del model
    keras.backend.clear_session()
    keras.mixed_precision.set_global_policy("mixed_float16")
    gc.collect()
