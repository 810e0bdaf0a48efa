# In Keras 2 predict_on_batch takes no list of numbers.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")


def probabilities(tokens):
    return model.predict(tokens)[0]  # want "single example"


print(probabilities([[1, 2, 3, 4]]))
for i in range(1000):
    tokens = np.expand_dims(read(i), 0)
    print(probabilities(tokens))
