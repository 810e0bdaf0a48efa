# What is drawn once, what is read between epochs of training, and what does not train.
import random

import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("generator.keras")
fixed = np.random.normal(0, 1, (16, 100))
for epoch in range(10000):
    model.train_on_batch(np.random.normal(0, 1, (64, 100)), y)
    show(model.predict(fixed))
    if epoch % 100 == 0:
        noise = np.random.normal(0, 1, (16, 100))
        show(model.predict(noise))


def look(count):
    noise = np.random.normal(0, 1, (count, 100))
    return model.predict(noise)


for count in (16, 64):
    look(count)
for name in names:
    chosen = np.array(random.sample(data[name], 5000))
    report(name, model.predict(chosen))
for repeat in range(3):
    model.fit(x, y)
    report(model.predict(x[np.random.choice(len(x), 1000)]))
for step in range(len(parts)):
    model.train_on_batch(parts[step], y)
    show(model.predict(numbers(step)))
for step, images in enumerate(dataset):
    model.train_on_batch(images, y)
    show(model.predict(at(step)))
