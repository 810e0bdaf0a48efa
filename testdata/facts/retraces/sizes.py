# Arrays whose size is that of what each iteration reads, draws or counts.
import glob
import random

import cv2
import numpy as np
import tensorflow as tf
from PIL import Image
from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")


def tokens(line):
    return [hash(word) % 30_000 for word in line.split()]


with open("reviews.txt") as f:
    for line in f:
        ids = tokens(line)
        print(ids)  # retraces: length
        print(np.array([ids], dtype=np.int32))  # retraces: shape
        print(tf.constant([tokens(line)]))  # retraces: shape
        print(np.array(ids)[None])  # retraces: shape
        print(tf.expand_dims(tf.constant(ids), 0))  # retraces: shape
        print(np.array([ids])[:, :128])  # retraces: shape
        print(tf.keras.preprocessing.sequence.pad_sequences([ids], maxlen=80))  # retraces: no
        print(np.zeros(8))  # retraces: no
        print(tf.constant([line]))  # retraces: no
        print(np.array([ord(c) for c in line.strip()]))  # retraces: shape
        print(tf.constant([tokenizer.encode(line)]))  # retraces: shape
        print(tf.constant([tokenizer.encode(line, padding="max_length", max_length=128)]))  # retraces: no
        print(np.array(line.split(",")))  # retraces: no

for path in glob.glob("*.jpg"):
    image = cv2.imread(path)
    print(image)  # retraces: file
    print(image[np.newaxis] / 255.0)  # retraces: file
    print(np.expand_dims(image, 0))  # retraces: file
    print(cv2.resize(image, (224, 224)))  # retraces: no
    print(cv2.resize(image, size))  # retraces: no
    print(image[:100, :100])  # retraces: no
    picture = np.array(Image.open(path))
    print(picture)  # retraces: file
    print(np.array(Image.open(path).convert("RGB"), dtype=np.float32))  # retraces: file
    print(np.array(Image.open(path).resize((224, 224))))  # retraces: no
    print(np.array(Image.open(path).resize(size)))  # retraces: no
    decoded = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    print(decoded)  # retraces: file
    print(tf.image.convert_image_dtype(decoded, tf.float32)[tf.newaxis, ...])  # retraces: file
    print(tf.image.resize(decoded, (224, 224)))  # retraces: no
    print(tf.keras.utils.img_to_array(tf.keras.utils.load_img(path)))  # retraces: file
    print(tf.keras.utils.img_to_array(tf.keras.utils.load_img(path, target_size=(224, 224))))  # retraces: no
    print(load(path))  # retraces: no

for i in range(5000):
    h, w = np.random.randint(96, 900, (2,)).tolist()
    picture = np.random.uniform(0, 255, (h, w, 3))
    print(picture[np.newaxis])  # retraces: shape
    n = random.randint(1, 512)
    print(tf.random.uniform((1, n), maxval=100, dtype=tf.int32))  # retraces: shape
    print(np.ones((1, random.randint(1, 3))))  # retraces: no
    print(n)  # retraces: number

texts = [np.ones(n) for n in range(1000)]
for t in texts:
    print(t)  # retraces: shape
    print(t[None])  # retraces: shape
    print(t.sum())  # retraces: no
rows = [np.ones(8) for n in range(1000)]
for t in rows:
    print(t)  # retraces: no
for n in range(1, 100):
    print(tf.random.uniform((8,), 0, n))  # retraces: no
    print(np.zeros((n % 4, 3)))  # retraces: no
    print(tf.zeros((min(n, 3), 3)))  # retraces: no
    print(np.full(8, n))  # retraces: no
