# One size for all.
import glob
import random

import cv2
import numpy as np
import tensorflow as tf
from PIL import Image


@tf.function
def detect(image):
    return tf.nn.max_pool2d(image, 2, 2, "SAME")


for path in glob.glob("photos/*.jpg"):
    image = cv2.imread(path)
    detect(cv2.resize(image, (224, 224))[np.newaxis])
    detect(cv2.resize(image, size)[np.newaxis])
    detect(image[np.newaxis, :100, :100])
    detect(np.array(Image.open(path).resize((224, 224)))[None])
    detect(np.array(Image.open(path).resize(size))[None])
    detect(tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))[None])
    detect(tf.keras.utils.img_to_array(tf.keras.utils.load_img(path, target_size=(224, 224)))[None])
    detect(prepare(path))
for n in range(5000):
    detect(tf.zeros((1, random.choice([224, 256]), 224, 3)))
    detect(tf.zeros((1, random.randint(1, 3), 224, 3)))
    detect(np.random.uniform(0, 255, (1, 224, 224, 3)))
