"""Keras has had no module of this name since 2.4, and ran in graphs before."""
import numpy as np
from keras.backend.tensorflow_backend import get_session
from keras.models import load_model

model = load_model("model.h5")
print(get_session().graph)
for path in paths:
    image = read(path)
    print(model.predict(np.expand_dims(image, 0)))
