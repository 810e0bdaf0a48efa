"""The loop runs before eager execution is turned off."""
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.h5")
for path in open("paths"):
    print(model.predict_on_batch(np.expand_dims(np.load(path), 0)))  # want "single example"
tf.compat.v1.disable_eager_execution()
