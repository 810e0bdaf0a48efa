import keras
import numpy as np

n = 32
model = keras.applications.MobileNetV2(
    input_shape=(160, 160, 3), alpha=1.0, weights=None, classes=37
)
model.compile(
    optimizer=keras.optimizers.RMSprop(1e-3, rho=0.9, momentum=0.9),
    loss=keras.losses.SparseCategoricalCrossentropy(),
    metrics=[keras.metrics.SparseCategoricalAccuracy()],
)
model.fit(np.zeros((n, 160, 160, 3), "float32"), np.zeros(n, "int32"), batch_size=16, epochs=2)
