# What keras.backend does to pictures, in a Lambda.
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers

x = inputs = tf.keras.Input((32, 32, 3))
x = layers.Conv2D(16, 3, padding="same", activation="relu")(x)
x = layers.Lambda(lambda t: K.resize_images(t, 2, 2, "channels_last", interpolation="bilinear"))(x)
x = layers.Conv2D(16, 3, padding="same", activation="relu")(x)
x = layers.Lambda(lambda t: K.resize_images(t, 2, 2, "channels_last"))(x)
x = layers.Conv2D(8, 3, padding="same")(x)
x = layers.Lambda(lambda t: K.spatial_2d_padding(t, ((1, 1), (2, 2))))(x)
x = layers.Lambda(lambda t: K.pool2d(t, (2, 2), strides=(2, 2), padding="same", pool_mode="avg"))(x)
x = layers.Lambda(lambda t: K.l2_normalize(t, axis=-1))(x)
x = layers.Lambda(lambda t: K.permute_dimensions(t, (0, 2, 1, 3)))(x)
x = layers.Lambda(lambda t: K.repeat_elements(t, 2, axis=1))(x)
x = layers.Flatten()(x)
x = layers.Dense(10)(x)
model = tf.keras.Model(inputs, x)
model.compile("adam", "mse", jit_compile=False)
model.fit(np.zeros((64, 32, 32, 3), "float32"), np.zeros((64, 10), "float32"), batch_size=8)
