"""Vision Transformer on 64x64 images, after the Keras example."""
from dataclasses import dataclass

import numpy as np
import keras
from keras import layers, ops


@dataclass
class Config:
    image_size: int = 64
    patch_size: int = 8
    num_classes: int = 100
    projection_dim: int = 192
    num_heads: int = 6
    transformer_layers: int = 6
    mlp_head_units: tuple = (1024, 512)
    batch_size: int = 32
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4

    @property
    def num_patches(self):
        return (self.image_size // self.patch_size) ** 2

    @property
    def transformer_units(self):
        return [self.projection_dim * 2, self.projection_dim]


cfg = Config()


def mlp(x, hidden_units, dropout_rate):
    for units in hidden_units:
        x = layers.Dense(units, activation=keras.activations.gelu)(x)
        x = layers.Dropout(dropout_rate)(x)
    return x


class Patches(layers.Layer):
    def __init__(self, patch_size, **kwargs):
        super().__init__(**kwargs)
        self.patch_size = patch_size

    def call(self, images):
        shape = ops.shape(images)
        patches = ops.image.extract_patches(images, size=self.patch_size)
        rows = images.shape[1] // self.patch_size
        return ops.reshape(patches, (shape[0], rows * rows, self.patch_size * self.patch_size * images.shape[-1]))


class PatchEncoder(layers.Layer):
    def __init__(self, num_patches, projection_dim):
        super().__init__()
        self.num_patches = num_patches
        self.projection = layers.Dense(units=projection_dim)
        self.position_embedding = layers.Embedding(input_dim=num_patches, output_dim=projection_dim)

    def call(self, patch):
        positions = ops.expand_dims(ops.arange(start=0, stop=self.num_patches, step=1), axis=0)
        return self.projection(patch) + self.position_embedding(positions)


data_augmentation = keras.Sequential(
    [
        layers.Normalization(),
        layers.RandomFlip("horizontal"),
        layers.RandomRotation(factor=0.02),
        layers.RandomZoom(height_factor=0.2, width_factor=0.2),
    ],
    name="data_augmentation",
)


def create_vit_classifier():
    inputs = keras.Input(shape=(cfg.image_size, cfg.image_size, 3))
    augmented = data_augmentation(inputs)
    patches = Patches(cfg.patch_size)(augmented)
    encoded = PatchEncoder(cfg.num_patches, cfg.projection_dim)(patches)
    for _ in range(cfg.transformer_layers):
        x1 = layers.LayerNormalization(epsilon=1e-6)(encoded)
        attention = layers.MultiHeadAttention(num_heads=cfg.num_heads, key_dim=cfg.projection_dim, dropout=0.1)(x1, x1)
        x2 = layers.Add()([attention, encoded])
        x3 = layers.LayerNormalization(epsilon=1e-6)(x2)
        x3 = mlp(x3, hidden_units=cfg.transformer_units, dropout_rate=0.1)
        encoded = layers.Add()([x3, x2])
    representation = layers.LayerNormalization(epsilon=1e-6)(encoded)
    representation = layers.Flatten()(representation)
    representation = layers.Dropout(0.5)(representation)
    features = mlp(representation, hidden_units=cfg.mlp_head_units, dropout_rate=0.5)
    logits = layers.Dense(cfg.num_classes)(features)
    return keras.Model(inputs=inputs, outputs=logits)


x_train = np.random.rand(256, 64, 64, 3).astype("float32")
y_train = np.random.randint(0, cfg.num_classes, size=(256, 1))
data_augmentation.layers[0].adapt(x_train)

model = create_vit_classifier()
model.compile(
    run_eagerly=True,
    optimizer=keras.optimizers.AdamW(learning_rate=cfg.learning_rate, weight_decay=cfg.weight_decay),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=[
        keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
        keras.metrics.SparseTopKCategoricalAccuracy(5, name="top-5-accuracy"),
    ],
)
model.fit(x=x_train, y=y_train, batch_size=cfg.batch_size, epochs=1, validation_split=0.1)
