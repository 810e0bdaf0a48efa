# device: 8 GiB
import glob

import cv2
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

pictures = np.array([cv2.resize(cv2.imread(path), (1024, 1024)) for path in glob.glob("sand/*.png")])
model = keras.Sequential([
    layers.Input((1024, 1024, 3)),
    layers.Conv2D(64, 3, activation="relu", padding="same"),
    layers.Conv2D(64, 3, activation="relu", padding="same"),
])
features = model.predict(pictures, batch_size=8)  # want "information: A batch of 32 will not fit the GPU\..* Its data may have fewer than 32 rows, and need less: their number is not known\."
