"""After keras.io's guide "Transfer learning & fine-tuning", the second part of it, with a ConvNeXt."""
# device: 1600 MiB
# keras: 3.15
import keras
import numpy as np

size = (96, 96)
pictures = np.zeros((32,) + size + (3,), "float32")
labels = np.zeros((32, 1), "float32")

base_model = keras.applications.ConvNeXtTiny(weights="imagenet", input_shape=size + (3,), include_top=False)
inputs = keras.Input(shape=size + (3,))
x = base_model(inputs)
x = keras.layers.GlobalAveragePooling2D()(x)
x = keras.layers.Dropout(0.2)(x)
model = keras.Model(inputs, keras.layers.Dense(1)(x))
base_model.trainable = False
model.compile(
    optimizer=keras.optimizers.Adam(1e-5),
    loss=keras.losses.BinaryCrossentropy(from_logits=True),
    metrics=[keras.metrics.BinaryAccuracy()],
    jit_compile=False,
)
model.fit(pictures, labels, epochs=1, batch_size=8)
