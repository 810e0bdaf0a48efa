import os

import cv2
import numpy as np
import tensorflow as tf
from PIL import Image

model = tf.keras.models.load_model("model.keras")
for path in os.listdir("images"):
    tiles = np.array(Image.open(path).resize((512, 512))).reshape(-1, 64, 64, 3)  # 64 tiles of one image
    print(model.predict(tiles))
    frames = np.load(path).reshape(-1, 64, 64, 3)
    print(model.predict(frames))
    pixels = cv2.resize(cv2.imread(path), (64, 64)).reshape(-1, 3)
    print(model.predict(pixels))
