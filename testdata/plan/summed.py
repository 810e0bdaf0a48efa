# device: 8 GiB
# keras: 3.15
# A loss that is a sum is not the same in parts.
from tensorflow import keras
from tensorflow.keras import layers

train = keras.utils.image_dataset_from_directory("train", image_size=(224, 224), batch_size=128)
model = keras.Sequential([
    layers.Input((224, 224, 3)),
    layers.Conv2D(64, 3, activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(128, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(10),
])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum"))
model.fit(train, epochs=20)
