# device: 2 GiB
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Input((4096, 4096, 3)), layers.Conv2D(64, 3, padding="same"), layers.GlobalAveragePooling2D(), layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=16)  # want "Even a batch of 1 may not fit\."
