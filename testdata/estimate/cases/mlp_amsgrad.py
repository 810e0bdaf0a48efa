from tensorflow import keras
from tensorflow.keras import layers
import numpy as np


def make_mlp(n_in, n_out, sizes=(2048, 1024, 512), activation="gelu"):
    inp = layers.Input(shape=(n_in,))
    h = inp
    for size in sizes:
        h = layers.Dense(size, activation=activation, kernel_initializer="he_normal")(h)
        h = layers.LayerNormalization()(h)
    out = layers.Dense(n_out, activation="softmax")(h)
    return keras.models.Model(inputs=inp, outputs=out, name="mlp")


mlp = make_mlp(1000, 50)
mlp.compile(
    optimizer=keras.optimizers.Adam(learning_rate=2e-4, amsgrad=True),
    loss=keras.losses.CategoricalCrossentropy(label_smoothing=0.1),
    metrics=["accuracy", keras.metrics.TopKCategoricalAccuracy(k=5)],
)
mlp.fit(np.zeros((600, 1000)), np.zeros((600, 50)), batch_size=256, epochs=4, verbose=2)
