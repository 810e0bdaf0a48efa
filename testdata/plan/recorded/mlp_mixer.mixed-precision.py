"""After keras.io's "Image classification with modern MLP models": the mixer of patches and of channels."""
# device: 1000 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")

image_size, patch_size, embedding_dim, num_blocks = 64, 8, 128, 4
num_patches = (image_size // patch_size) ** 2
x_train = np.zeros((256, image_size, image_size, 3), "float32")
y_train = np.zeros((256, 1), "int64")


class MLPMixerLayer(layers.Layer):
    def __init__(self, num_patches, hidden_units, dropout_rate, **kwargs):
        super().__init__(**kwargs)
        self.mlp1 = keras.Sequential([
            layers.Dense(units=num_patches, activation="gelu"),
            layers.Dense(units=num_patches),
            layers.Dropout(rate=dropout_rate),
        ])
        self.mlp2 = keras.Sequential([
            layers.Dense(units=num_patches, activation="gelu"),
            layers.Dense(units=hidden_units),
            layers.Dropout(rate=dropout_rate),
        ])
        self.normalize = layers.LayerNormalization(epsilon=1e-6)

    def build(self, input_shape):
        self.built = True

    def call(self, inputs):
        channels = keras.ops.transpose(self.normalize(inputs), axes=(0, 2, 1))
        x = keras.ops.transpose(self.mlp1(channels), axes=(0, 2, 1)) + inputs
        return x + self.mlp2(self.normalize(x))


def build_classifier():
    inputs = layers.Input(shape=(image_size, image_size, 3))
    x = layers.Conv2D(embedding_dim, patch_size, strides=patch_size)(inputs)
    x = layers.Reshape((num_patches, embedding_dim))(x)
    for _ in range(num_blocks):
        x = MLPMixerLayer(num_patches, embedding_dim, 0.2)(x)
    x = layers.Dropout(rate=0.2)(layers.GlobalAveragePooling1D()(x))
    return keras.Model(inputs=inputs, outputs=layers.Dense(100, dtype="float32")(x))


model = build_classifier()
model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=0.005),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    jit_compile=False,
)
model.fit(x_train, y_train, batch_size=128, epochs=50)
