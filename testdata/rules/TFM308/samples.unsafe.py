import numpy as np
import tensorflow as tf
from tensorflow.keras.applications.resnet50 import ResNet50, preprocess_input
from tensorflow.keras.preprocessing import image

model = ResNet50(weights="imagenet")
results = []
for path in paths:
    x = image.img_to_array(image.load_img(path, target_size=(224, 224)))
    x = np.expand_dims(x, axis=0)
    x = preprocess_input(x)
    results.append(model.predict_on_batch(x))  # want "hint: predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 8 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or, where all examples are known before the loop, one predict\(\) for all\.$"

for i, row in enumerate(rows):
    one = model.predict_on_batch(row[np.newaxis, ...] / 255.0)  # want "hint"
    two = model.predict_on_batch(rows[i:i + 1])  # want "hint"
    three = model.predict(x=row.reshape(1, 224, 224, 3))  # want "hint"
    four = model.predict(np.array([row]).astype("float32"), callbacks=[log])  # want "hint"
    five = model.predict(tf.reshape(row, (1, -1)), 1)  # want "hint"
six = [model.predict_on_batch(row[None]) for row in rows]  # want "hint: .* loop on line 20"
