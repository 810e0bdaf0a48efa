from tensorflow.keras.applications import VGG16
from tensorflow.keras.optimizers import SGD
import numpy as np

net = VGG16(weights=None, input_shape=(224, 224, 3), classes=1000)
net.compile(SGD(learning_rate=0.01, momentum=0.9), loss="categorical_crossentropy")
net.fit(np.zeros((4, 224, 224, 3), "float32"), np.zeros((4, 1000), "float32"), batch_size=4)
