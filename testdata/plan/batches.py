# device: 4 GiB
# keras: 3.15
"""Training and validation have one batch size."""
import keras
from keras import layers

batch_size = 256
train = keras.utils.image_dataset_from_directory("train", image_size=(180, 180), batch_size=batch_size)
validation = keras.utils.image_dataset_from_directory("validation", image_size=(180, 180), batch_size=batch_size)
x = inputs = keras.Input((180, 180, 3))
for filters in (32, 64, 128):
    x = layers.MaxPooling2D()(layers.Conv2D(filters, 3, activation="relu")(x))
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(layers.GlobalAveragePooling2D()(x)))
model.compile("rmsprop", "binary_crossentropy")
model.fit(train, epochs=10, validation_data=validation)
