"""After keras.io's "Image classification with Vision Transformer": patches, attention and a wide head."""
# device: 1100 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers, ops

num_classes = 100
input_shape = (32, 32, 3)
x_train = np.zeros((128,) + input_shape, "uint8")
y_train = np.zeros((128, 1), "int64")
image_size, patch_size = 72, 6
num_patches = (image_size // patch_size) ** 2
projection_dim, num_heads, transformer_layers = 64, 4, 3


class Patches(layers.Layer):
    def __init__(self, patch_size):
        super().__init__()
        self.patch_size = patch_size

    def call(self, images):
        shape = ops.shape(images)
        patches = ops.image.extract_patches(images, size=self.patch_size)
        rows, columns = shape[1] // self.patch_size, shape[2] // self.patch_size
        return ops.reshape(patches, (shape[0], rows * columns, self.patch_size * self.patch_size * shape[3]))


class PatchEncoder(layers.Layer):
    def __init__(self, num_patches, projection_dim):
        super().__init__()
        self.num_patches = num_patches
        self.projection = layers.Dense(projection_dim)
        self.position_embedding = layers.Embedding(num_patches, projection_dim)

    def call(self, patch):
        positions = ops.expand_dims(ops.arange(0, self.num_patches, 1), axis=0)
        return self.projection(patch) + self.position_embedding(positions)


def mlp(x, hidden_units, dropout_rate):
    for units in hidden_units:
        x = layers.Dense(units, activation=keras.activations.gelu)(x)
        x = layers.Dropout(dropout_rate)(x)
    return x


def create_vit_classifier():
    inputs = keras.Input(shape=input_shape)
    x = layers.Resizing(image_size, image_size)(inputs)
    x = PatchEncoder(num_patches, projection_dim)(Patches(patch_size)(x))
    for _ in range(transformer_layers):
        x1 = layers.LayerNormalization(epsilon=1e-6)(x)
        attention = layers.MultiHeadAttention(num_heads=num_heads, key_dim=projection_dim, dropout=0.1)(x1, x1)
        x2 = layers.Add()([attention, x])
        x3 = mlp(layers.LayerNormalization(epsilon=1e-6)(x2), [projection_dim * 2, projection_dim], 0.1)
        x = layers.Add()([x3, x2])
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    x = layers.Dropout(0.5)(layers.Flatten()(x))
    return keras.Model(inputs, layers.Dense(num_classes)(mlp(x, [512, 256], 0.5)))


model = create_vit_classifier()
model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=0.001, gradient_accumulation_steps=2),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=[keras.metrics.SparseCategoricalAccuracy(name="accuracy")],
    jit_compile=False,
)
model.fit(x_train, y_train, batch_size=16, epochs=10)
