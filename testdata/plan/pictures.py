# device: 4 GiB
# keras: 3.15
"""The height and the width are written once."""
import keras
from keras import layers

HEIGHT = 288
WIDTH = 384
inputs = keras.Input(shape=(HEIGHT, WIDTH, 3))
x = layers.Rescaling(1 / 255)(inputs)
for filters in (64, 128):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    x = layers.MaxPooling2D()(x)
x = layers.Dense(10)(layers.GlobalAveragePooling2D()(x))
model = keras.Model(inputs, x)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
data = keras.utils.image_dataset_from_directory("pictures", image_size=(HEIGHT, WIDTH), batch_size=32)
model.fit(data, epochs=5)
