import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((64, 64, 3)), tf.keras.layers.Conv2D(256, 3, strides=2, padding="same")])
features = []
for i in range(200):
    features.append(model.predict(np.ones((1, 64, 64, 3), "float32"), verbose=0))
joined = np.concatenate(features)
