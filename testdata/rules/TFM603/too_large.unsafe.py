# device: 8 GiB
from keras import layers
import keras

keras.mixed_precision.set_global_policy("mixed_float16")

model = keras.Sequential([
    layers.Input((256, 256, 3)),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(10, activation="softmax", dtype="float32"),
])
model.compile("adam", "categorical_crossentropy")
model.fit(x, y, batch_size=512)  # want "With mixed_float16 this training needs about 16\.2 GiB less memory\. It does not fit the GPU: it needs about [\d.]+ GiB, and TensorFlow can use [\d.]+ GiB of a GPU of [\d.]+ GiB\. With the policy mixed_float16, which this GPU computes at full speed \(compute capability [\d.]+\), it would need about [\d.]+ GiB and still not fit, but a batch of [\d.]+ would\.$"
