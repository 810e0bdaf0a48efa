# The slice leaves out two and takes all others.
import sys

import numpy as np
import tensorflow as tf

base = tf.keras.applications.VGG16(include_top=False, pooling="avg")
feats = []
for path in sys.argv[2:]:
    img = tf.keras.utils.load_img(path, target_size=(224, 224))
    x = tf.keras.utils.img_to_array(img)[None]
    x = tf.keras.applications.vgg16.preprocess_input(x)
    feats.append(base.predict_on_batch(x).flatten())  # want "for a single example in every loop iteration"
