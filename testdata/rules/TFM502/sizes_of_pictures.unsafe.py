# Pictures as they are in their files, and of sizes that are drawn.
import glob
import random

import cv2
import numpy as np
import tensorflow as tf
from PIL import Image


@tf.function(reduce_retracing=True)
def detect(image):
    return tf.nn.max_pool2d(image, 2, 2, "SAME")


for path in glob.glob("photos/*.jpg"):
    image = cv2.imread(path)
    detect(image[np.newaxis].astype(np.float32))  # want "information: detect is retraced for each new size of image\[np\.newaxis\]\.astype\(np\.float32\)\. The picture is another one in every iteration of the loop on line 16, and each size adds a graph\. Resize them to one size, or set reduce_retracing=True, with which it is traced twice\.$"
    detect(np.expand_dims(np.array(Image.open(path)) / 255.0, 0))  # want "information: detect is retraced for each new size"
    decoded = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    detect(tf.image.convert_image_dtype(decoded, tf.float32)[tf.newaxis])  # want "information: detect is retraced for each new size"
for n in range(5000):
    h, w = np.random.randint(96, 900, (2,)).tolist()
    picture = np.random.uniform(0, 255, (h, w, 3))
    detect(picture[np.newaxis])  # want "warning: detect is retraced for each new shape of picture\[np\.newaxis\]\."
    side = random.randint(32, 512)
    detect(tf.zeros((1, side, side, 3)))  # want "warning: detect is retraced for each new shape"
