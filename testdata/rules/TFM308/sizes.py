# Pictures and texts of ever-new sizes, for a model that takes any: predict_on_batch is no help.
import numpy as np
import tensorflow as tf

inputs = tf.keras.layers.Input((None, None, 3))
model = tf.keras.models.Model(inputs, tf.keras.layers.Conv2D(64, 3, padding="same")(inputs))
words = tf.keras.Sequential([tf.keras.layers.Input((None,)), tf.keras.layers.Embedding(1000, 8), tf.keras.layers.GlobalAveragePooling1D()])

for n in range(5000):
    h, w = np.random.randint(96, 900, (2,)).tolist()
    picture = np.random.uniform(0, 255, (h, w, 3))
    model.predict(picture[np.newaxis])  # want "hint: predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 9 builds a dataset and its iterator, and leaves memory behind\. Bring its inputs to one size, or call the model: each new size leaves more behind, and in Keras 2 so does predict_on_batch\(\)\.$"
with open("reviews.txt") as f:
    for line in f:
        ids = [hash(word) % 1000 for word in line.split()]
        words.predict(np.array([ids]), verbose=0)  # want "Bring its inputs to one size, or call the model"
