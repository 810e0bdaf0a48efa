import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

base = keras.applications.VGG16(include_top=False, weights=None, input_shape=(64, 64, 3))
for l in base.layers:
    l.trainable = False
frames = keras.Input((6, 64, 64, 3))
x = layers.TimeDistributed(base)(frames)
x = layers.TimeDistributed(layers.GlobalAveragePooling2D())(x)
x = layers.Dense(128, activation='relu')(x)
x = layers.Dropout(0.5)(layers.Flatten()(x))
m = keras.Model(frames, layers.Dense(3, activation='softmax')(x))
m.compile(keras.optimizers.SGD(0.01, momentum=0.9), 'sparse_categorical_crossentropy', jit_compile=False)
m.fit(np.zeros((4, 6, 64, 64, 3), 'float32'), np.zeros((4,), 'int32'), batch_size=4)
