# device: 8 GiB
from tensorflow import keras

model = keras.applications.ResNet50(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(
    pictures, labels, batch_size=16,
    validation_data=(others, their_labels),
    validation_batch_size=8192,  # want "A batch of 8192 will not fit the GPU\. Validation needs about"
)
