# The loops predict at most fifty examples together.
from itertools import product

import numpy as np
import tensorflow as tf
from tqdm import tqdm, trange

model = tf.keras.models.load_model("model.keras")
COUNT = 25
rows, columns = 4, 5
names = ["a.png", "b.png", "c.png"]
labels = {"a.png": 0, "b.png": 1}


def one(image):
    return model.predict(np.expand_dims(image, 0))


for i in range(1, 201, 20):
    one(images[i])
for i in range(200, 0, -10):
    one(images[i])
for i in np.arange(0, 100, 5):
    one(images[i])
for i in range(2 * COUNT):
    one(images[i])
for i in range(rows * columns):
    one(images[i])
for i in trange(10):
    one(images[i])
for image in tqdm(images[:10]):
    one(image)
for image in images[5:15]:
    one(image)
for name, path in zip(names, paths):
    one(read(path))
for i, (name, path) in enumerate(zip(paths, names)):
    one(read(path))
for name, label in labels.items():
    one(read(name))
for path in map(read, names):
    one(path)
for name, i in product(names, range(5)):
    one(read(name)[i])
for i in range(rows):
    for j in range(columns):
        one(images[i, j])
count = 0
while count < 8:
    one(images[count])
    count += 1


class Viewer:
    def show(self, images, count=5):
        for i in range(count):
            one(images[i])


def save(images, number):
    for i in range(number):
        one(images[i])


viewer = Viewer()
viewer.show(images)
viewer.show(images, count=4)
save(images, 5)
save(images, number=COUNT)
for epoch in range(100):
    model.fit(x, y)
    for i in range(3):
        one(images[i])


def compare(images):
    for image in images:
        one(image)


compare(np.random.choice(images, 10, replace=False))
compare(images[:5])
