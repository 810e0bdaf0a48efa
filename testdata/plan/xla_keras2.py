# device: 4 GiB
# keras: >=2.4,<3
# The TensorFlow of Keras 2 may be older than jit_compile.
import keras
import numpy as np
from keras import layers

inputs = x = keras.Input((256, 256, 8))
for _ in range(20):
    x = layers.Activation("silu")(layers.BatchNormalization()(x))
    x = x * 0.5 + 1.0
model = keras.Model(inputs, layers.Dense(1)(layers.GlobalAveragePooling2D()(x)))
model.compile("adam", "mse")
model.fit(np.zeros((640, 256, 256, 8), "float32"), np.zeros((640, 1), "float32"), batch_size=40)
