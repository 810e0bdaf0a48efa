"""A Perceiver: latents that are learned attend to the patches of a picture, then to each other."""

import keras
import numpy as np
from keras import layers, ops

PATCHES, LATENTS, WIDTH = 196, 48, 96


def feed_forward(x):
    h = layers.LayerNormalization(epsilon=1e-6)(x)
    h = layers.Dense(2 * WIDTH, activation="gelu")(h)
    return layers.Add()([layers.Dense(WIDTH)(h), x])


def cross_attention():
    latents = layers.Input((LATENTS, WIDTH), name="latents")
    data = layers.Input((PATCHES, WIDTH), name="data")
    normalized = layers.LayerNormalization(epsilon=1e-6)(data)
    query = layers.Dense(WIDTH)(layers.LayerNormalization(epsilon=1e-6)(latents))
    key, value = layers.Dense(WIDTH)(normalized), layers.Dense(WIDTH)(normalized)
    attended = layers.Attention(use_scale=True)([query, value, key])
    return keras.Model({"latents": latents, "data": data}, feed_forward(layers.Add()([attended, latents])))


def self_attention(depth=2):
    inputs = x = layers.Input((LATENTS, WIDTH))
    for _ in range(depth):
        h = layers.LayerNormalization(epsilon=1e-6)(x)
        x = feed_forward(layers.Add()([layers.MultiHeadAttention(4, WIDTH // 4)(h, h), x]))
    return keras.Model(inputs, x)


class Perceiver(keras.Model):
    def __init__(self, classes, turns=2):
        super().__init__()
        self.turns = turns
        self.patches = layers.Conv2D(WIDTH, 8, strides=8)
        self.flat = layers.Reshape((PATCHES, WIDTH))
        self.latents = self.add_weight(shape=(LATENTS, WIDTH), initializer="random_normal", name="latents")
        self.cross, self.inner = cross_attention(), self_attention()
        self.pool, self.head = layers.GlobalAveragePooling1D(), layers.Dense(classes)

    def call(self, images):
        data = self.flat(self.patches(images))
        latents = ops.expand_dims(self.latents, 0)
        for _ in range(self.turns):
            latents = self.inner(self.cross({"latents": latents, "data": data}))
        return self.head(self.pool(latents))


model = Perceiver(100)
model.compile(
    optimizer=keras.optimizers.AdamW(1e-3), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False
)
model.fit(np.zeros((96, 112, 112, 3), "float32"), np.zeros((96,), "int32"), batch_size=16)
