# device: 8 GiB
from tensorflow import keras

PER_GPU, GPUS = 128, 4

model = keras.applications.ResNet50(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=PER_GPU * GPUS)  # want "warning: A batch of 512 will not fit the GPU\."
