"""Only a Keras before 2.4 takes input= and output=."""
import numpy as np
from keras.applications.vgg16 import VGG16
from keras.models import Model

vgg = VGG16()
features = Model(input=vgg.input, output=vgg.get_layer("fc1").output)
for path in paths:
    image = read(path)
    print(features.predict(np.expand_dims(image, 0)))
