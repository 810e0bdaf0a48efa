# Each loop ends in its first iteration.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
for path in open("paths"):
    print(model.predict(np.expand_dims(np.load(path), 0)))
    break


def first(paths):
    for path in paths:
        image = np.load(path)
        return model.predict(np.expand_dims(image, 0))


first(open("paths"))
