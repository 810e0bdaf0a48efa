"""EfficientNets as keras.applications has them, trained with an average of the weights."""
import numpy as np
from tensorflow import keras

NETWORK = keras.applications.EfficientNetB0
SIZE = 224
POLICY = "float32"
BATCH = 256

keras.mixed_precision.set_global_policy(POLICY)

model = NETWORK(weights=None, input_shape=(SIZE, SIZE, 3), classes=1000)
model.compile(
    keras.optimizers.RMSprop(0.016, rho=0.9, momentum=0.9, use_ema=True, ema_momentum=0.9999),
    keras.losses.CategoricalCrossentropy(label_smoothing=0.1),
    jit_compile=True,
)
model.fit(np.zeros((256, SIZE, SIZE, 3), "float32"), np.zeros((256, 1000), "float32"), batch_size=BATCH)
