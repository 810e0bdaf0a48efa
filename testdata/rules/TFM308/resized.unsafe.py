import numpy as np
import tensorflow as tf
from PIL import Image
import os
model = tf.keras.models.load_model('m.h5')
for jpg in os.listdir("./img"):
    img = Image.open("./img/" + jpg)
    img = img.resize((416, 416))
    img = np.array(img)
    img = img / 255
    img = img.reshape(-1, 416, 416, 3)
    pr = model.predict_on_batch(img)[0]  # want "single example in every loop iteration"
    print(pr)

import cv2

size = (48, 48)
for path in os.listdir("./faces"):
    face = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2GRAY)
    face = cv2.resize(face, size).reshape(-1, 48, 48, 1) / 255.0
    print(model.predict_on_batch(face))  # want "single example"
