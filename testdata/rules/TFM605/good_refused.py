# Keras refuses the argument, so there is no such layer.
from tensorflow import keras
from tensorflow.keras import layers

image = layers.Input((224, 224, 3))
x = layers.Conv2D(64, 3, activation="relu")(image)
x = layers.Flatten()(x)
x = layers.Dense(128, activation="relu", init="uniform")(x)
model = keras.Model(inputs=image, outputs=x)
model.compile("adam", "mse")
model.fit(features, labels)
