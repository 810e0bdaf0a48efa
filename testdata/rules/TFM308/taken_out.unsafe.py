# The model is one of several that a list or dict holds.
import numpy as np
import tensorflow as tf

models = {"a": tf.keras.models.load_model("a.keras"), "b": tf.keras.models.load_model("b.keras")}
x = np.load("x.npy")
for i in range(len(x)):
    models["a"].predict_on_batch(x[i:i+1])  # want "predict\(\) is called for a single example in every loop iteration\."
model = models["b"]
for i in range(len(x)):
    model.predict_on_batch(x[i:i+1])  # want "predict\(\) is called for a single example in every loop iteration\."
grown = []
for k in range(3):
    grown.append(tf.keras.models.load_model(str(k)))
for i in range(len(x)):
    grown[0].predict_on_batch(x[i:i+1])  # want "predict\(\) is called for a single example in every loop iteration\."
