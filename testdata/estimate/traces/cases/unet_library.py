import numpy as np
import tensorflow as tf
from keras_unet_collection import models

model = models.unet_plus_2d((64, 64, 3), [16, 32, 64], n_labels=2, backbone=None)
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
model.fit(np.zeros((16, 64, 64, 3), "float32"), np.zeros((16, 64, 64), "int32"), batch_size=8, epochs=1)
