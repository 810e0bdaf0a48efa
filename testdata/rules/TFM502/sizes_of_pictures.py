# Pictures as they are in their files, and of sizes that are drawn.
import glob
import random
from pathlib import Path

import cv2
import librosa
import numpy as np
import soundfile
import tensorflow as tf
from PIL import Image


@tf.function
def detect(image):
    return tf.nn.max_pool2d(image, 2, 2, "SAME")


for path in glob.glob("photos/*.jpg"):
    image = cv2.imread(path)
    detect(image[np.newaxis].astype(np.float32))  # want "information: detect is retraced for each new size of image\[np\.newaxis\]\.astype\(np\.float32\)\. The file is another one in every iteration of the loop on line 19, and each size adds a graph\. Bring them to one size, or set reduce_retracing=True, with which it is traced twice\.$"
    detect(np.expand_dims(np.array(Image.open(path)) / 255.0, 0))  # want "information: detect is retraced for each new size"
    decoded = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    detect(tf.image.convert_image_dtype(decoded, tf.float32)[tf.newaxis])  # want "information: detect is retraced for each new size"


@tf.function
def transcribe(sound):
    return tf.signal.stft(sound, 512, 256)


for path in Path("recordings").glob("*.wav"):
    sound, rate = librosa.load(path, sr=16000)
    transcribe(sound[np.newaxis])  # want "information: transcribe is retraced for each new size of sound\[np\.newaxis\]\."
    transcribe(soundfile.read(str(path))[0])  # want "information: transcribe is retraced for each new size"
    short, _ = librosa.load(path, duration=2.0)
    transcribe(short)
for n in range(5000):
    h, w = np.random.randint(96, 900, (2,)).tolist()
    picture = np.random.uniform(0, 255, (h, w, 3))
    detect(picture[np.newaxis])  # want "warning: detect is retraced for each new shape of picture\[np\.newaxis\]\."
    side = random.randint(32, 512)
    detect(tf.zeros((1, side, side, 3)))  # want "warning: detect is retraced for each new shape"
