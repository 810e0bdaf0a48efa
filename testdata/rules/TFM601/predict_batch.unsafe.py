# device: 8 GiB
import numpy as np
from tensorflow import keras

model = keras.applications.ResNet50(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
pictures, labels = np.zeros((5_000, 224, 224, 3), "float32"), np.zeros((5_000,))
model.fit(pictures, labels, batch_size=16)
model.predict(pictures, batch_size=224)  # want "A batch of 4096 will not fit the GPU\. Prediction needs about [\d.]+ GiB of GPU memory \([\d.]+ GiB to [\d.]+ GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. .*The largest batch that fits is \d+\.$"
