"""Keras has had no function of this name since 2.3, and ran in graphs before."""
import numpy as np
from keras import backend as K
from keras.models import load_model

K.set_image_dim_ordering("tf")
model = load_model("model.h5")
for path in paths:
    image = read(path)
    print(model.predict(np.expand_dims(image, 0)))
