import numpy as np
import tensorflow as tf

decoder = tf.keras.models.load_model("decoder.keras")
states = [np.zeros((64, 256)), np.zeros((64, 256))]
tokens = np.zeros((64, 1))
for step in range(100):  # 64 sentences at a time
    scores, h, c = decoder.predict([tokens] + states)
    tokens = scores.argmax(axis=-1)
    states = [h, c]
