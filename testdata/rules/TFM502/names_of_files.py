# A Python string is a constant of the trace.
import glob
import os

import tensorflow as tf


@tf.function
def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)


@tf.function
def score(image, name):
    tf.print(name)
    return tf.reduce_mean(image)


images = tf.zeros((100, 8, 8, 3))
for path in glob.glob("photos/*.jpg"):
    load(path)  # want "warning: load is retraced for each value of path, a string\. The value changes in every iteration of the loop on line 20, and each of its values adds a graph\. Pass a string tensor, which is traced once, or leave it out of what load is given\.$"
for name in sorted(os.listdir("photos")):
    load(os.path.join("photos", name))  # want "load is retraced for each value of os\.path\.join\(.photos., name\), a string"
for i in range(100):
    score(images[i], f"image {i}")  # want "score is retraced for each value of f.image {i}., a string\. .* each of 100 values"
    score(images[i], "image " + str(i))  # want "a string"
    score(images[i], name="image %d" % i)  # want "a string"
while True:
    score(images[0], input("name? "))  # want "a string"
