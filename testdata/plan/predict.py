# device: 8 GiB
# keras: 3.15
import glob

import cv2
import keras
import numpy as np
from keras import layers

pictures = np.array([cv2.resize(cv2.imread(path), (1024, 1024)) for path in glob.glob("sand/*.png")])
model = keras.Sequential([
    layers.Input((1024, 1024, 3)),
    layers.Conv2D(64, 3, activation="relu", padding="same"),
    layers.Conv2D(64, 3, activation="relu", padding="same"),
])
features = model.predict(pictures)
