# Keras of TensorFlow 1 goes through NumPy's arrays in graphs.
import numpy as np
import tensorflow as tf

session = tf.keras.backend.get_session()
session.run(tf.global_variables_initializer())
model = tf.keras.models.load_model("model.h5")
for path in open("paths"):
    print(model.predict(np.expand_dims(np.load(path), 0)))
