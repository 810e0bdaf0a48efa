# A person is slower than any prediction, and so is the training in between.
import numpy as np
from google.colab import files
from tensorflow import keras

model = keras.models.load_model("model.keras")
generator = keras.models.load_model("generator.keras")
while True:
    text = input("text: ")
    print(model.predict(np.expand_dims(encode(text), 0)))

uploaded = files.upload()
for name in uploaded.keys():
    print(model.predict(np.expand_dims(read(name), 0)))
for name in files.upload():
    print(model.predict(np.expand_dims(read(name), 0)))

for epoch in range(30000):
    noise = np.random.normal(size=(1, 100))
    model.train_on_batch(noise, labels)
    if epoch % 1000 == 0:
        show(generator.predict(noise[:1]))
for epoch in range(30000):
    model.train_on_batch(x, y)
    for i in range(4):
        show(generator.predict(x[i:i + 1]))
import cv2
import matplotlib.pyplot as plt

for path in paths:
    image = read(path)
    plt.imshow(image)
    plt.title(model.predict(image[None])[0])
    plt.show()
for path in paths:
    cv2.imshow(path, model.predict(read(path)[None])[0])
    cv2.waitKey(0)
