# device: 8 GiB
# keras: 3.15
import keras
from keras import layers

train = keras.utils.image_dataset_from_directory("cats", image_size=(256, 256), batch_size=16)
model = keras.Sequential([
    keras.Input((256, 256, 3)),
    layers.Conv2D(32, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Flatten(),
    layers.Dense(2_000, activation="relu"),
    layers.Dense(2, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=5)
