# A loop that nothing ends predicts the same array again and again.
import numpy as np
import tensorflow as tf

net = tf.keras.models.load_model("model.keras")
sample = np.random.uniform(0, 1.0, size=(1, 12))
while True:
    net.predict(sample)  # want "hint: predict\(\) is called with the same array in an endless loop\. Each call in the loop on line 7 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or predict it once, before the loop\.$"
