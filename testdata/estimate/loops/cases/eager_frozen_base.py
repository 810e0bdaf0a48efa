import numpy as np
import keras
from keras import layers
base = keras.applications.MobileNetV2(input_shape=(96, 96, 3), include_top=False, weights=None)
base.trainable = False
inputs = keras.Input((96, 96, 3))
x = base(inputs, training=False)
x = layers.GlobalAveragePooling2D()(x)
x = layers.Dropout(0.2)(x)
model = keras.Model(inputs, layers.Dense(10)(x))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"], run_eagerly=True)
model.fit(np.zeros((160, 96, 96, 3), "float32"), np.zeros((160,), "int32"), batch_size=32)
