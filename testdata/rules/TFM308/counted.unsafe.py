# Fifty examples are few; these are more.
import cv2
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
paths = []
for line in open("paths"):
    paths.append(line.strip())


def one(image):
    return model.predict_on_batch(np.expand_dims(image, 0))  # want "single example in every loop iteration"


for path in paths:
    one(read(path))
for i in range(10):
    for j in range(10):
        model.predict_on_batch(board[i, j][None])  # want "single example in every loop iteration"
for i in range(0, 2000, 20):
    model.predict_on_batch(board[i][None])  # want "single example in every loop iteration"


def save(images, number=5):
    for i in range(number):
        model.predict_on_batch(images[i][None])  # want "single example in every loop iteration"


save(board)
save(board, 500)


class Viewer:
    def show(self, images, count=5):
        for i in range(count):
            model.predict_on_batch(images[i][None])  # want "single example in every loop iteration"


def show(viewer):
    viewer.show(board, 500)


Viewer().show(board)

for epoch in range(1000):
    noise = np.random.normal(size=(1, 100))
    model.train_on_batch(model.predict_on_batch(noise[:1]), noise)  # want "single example in every loop iteration"
while True:
    text = input("text: ")
    for i in range(200):
        text += letter(model.predict_on_batch(np.expand_dims(encode(text), 0)))  # want "single example in every loop iteration"
for epoch in range(300):
    if epoch % 2 == 0:
        model.predict_on_batch(board[epoch][None])  # want "single example in a loop"
for i in range(1000):
    cv2.imshow("camera", model.predict_on_batch(board[i][None])[0])  # want "single example in every loop iteration"
    cv2.waitKey(1)
