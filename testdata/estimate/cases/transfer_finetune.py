"""Fine-tuning: a pretrained base, its last block unfrozen, and a new head."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

IMG_SIZE = (160, 160)
UNFROZEN = 16

base_model = keras.applications.EfficientNetB0(
    include_top=False, weights=None, input_shape=IMG_SIZE + (3,)
)
base_model.trainable = True
for layer in base_model.layers[:-UNFROZEN]:
    layer.trainable = False

inputs = keras.Input(shape=IMG_SIZE + (3,))
x = base_model(inputs)
x = layers.GlobalAveragePooling2D()(x)
x = layers.Dropout(0.2)(x)
x = layers.Dense(256, activation="relu")(x)
outputs = layers.Dense(3, activation="softmax")(x)
model = keras.Model(inputs, outputs)

model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=1e-5),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
images = np.zeros((32,) + IMG_SIZE + (3,), dtype="float32")
labels = np.zeros((32,), dtype="int32")
model.fit(images, labels, batch_size=16, epochs=10)
