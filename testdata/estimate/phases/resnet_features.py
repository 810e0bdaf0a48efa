import numpy as np
from tensorflow.keras.applications import ResNet50, MobileNetV2

x = np.zeros((64, 96, 96, 3), "float32")
resnet = ResNet50(weights=None, include_top=False, pooling="avg", input_shape=(96, 96, 3))
mobile = MobileNetV2(weights=None, include_top=False, input_shape=(96, 96, 3))
a = resnet.predict(x)
b = mobile.predict(x)
