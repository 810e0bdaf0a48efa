import argparse

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

parser = argparse.ArgumentParser()
parser.add_argument("--image-size", type=int, default=64)
parser.add_argument("--patch-size", type=int, default=8)
parser.add_argument("--dim", type=int, default=96)
parser.add_argument("--depth", type=int, default=4)
parser.add_argument("--heads", type=int, default=4)
parser.add_argument("--mlp-ratio", type=int, default=2)
parser.add_argument("--classes", type=int, default=100)
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--weight-decay", type=float, default=1e-4)
args, _ = parser.parse_known_args()


class Patches(layers.Layer):
    def __init__(self, patch_size):
        super().__init__()
        self.patch_size = patch_size

    def call(self, images):
        batch = tf.shape(images)[0]
        patches = tf.image.extract_patches(
            images=images,
            sizes=[1, self.patch_size, self.patch_size, 1],
            strides=[1, self.patch_size, self.patch_size, 1],
            rates=[1, 1, 1, 1],
            padding="VALID",
        )
        dims = patches.shape[-1]
        return tf.reshape(patches, [batch, -1, dims])


class PatchEncoder(layers.Layer):
    def __init__(self, num_patches, dim):
        super().__init__()
        self.num_patches = num_patches
        self.projection = layers.Dense(units=dim)
        self.position = layers.Embedding(input_dim=num_patches, output_dim=dim)

    def call(self, patch):
        positions = tf.range(start=0, limit=self.num_patches, delta=1)
        return self.projection(patch) + self.position(positions)


def mlp(x, units, rate):
    for u in units:
        x = layers.Dense(u, activation=tf.nn.gelu)(x)
        x = layers.Dropout(rate)(x)
    return x


def create_vit():
    num_patches = (args.image_size // args.patch_size) ** 2
    inputs = layers.Input(shape=(args.image_size, args.image_size, 3))
    patches = Patches(args.patch_size)(inputs)
    encoded = PatchEncoder(num_patches, args.dim)(patches)
    for _ in range(args.depth):
        x1 = layers.LayerNormalization(epsilon=1e-6)(encoded)
        att = layers.MultiHeadAttention(num_heads=args.heads, key_dim=args.dim // args.heads, dropout=0.1)(x1, x1)
        x2 = layers.Add()([att, encoded])
        x3 = layers.LayerNormalization(epsilon=1e-6)(x2)
        x3 = mlp(x3, [args.dim * args.mlp_ratio, args.dim], 0.1)
        encoded = layers.Add()([x3, x2])
    rep = layers.LayerNormalization(epsilon=1e-6)(encoded)
    rep = layers.Flatten()(rep)
    rep = layers.Dropout(0.5)(rep)
    feats = mlp(rep, [256, 128], 0.5)
    logits = layers.Dense(args.classes)(feats)
    return keras.Model(inputs, logits)


def main():
    model = create_vit()
    model.compile(
        optimizer=keras.optimizers.AdamW(learning_rate=args.lr, weight_decay=args.weight_decay),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[
            keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
            keras.metrics.SparseTopKCategoricalAccuracy(5, name="top5"),
        ],
    )
    x = np.random.rand(128, args.image_size, args.image_size, 3).astype("float32")
    y = np.random.randint(0, args.classes, size=(128, 1))
    model.fit(x, y, batch_size=args.batch_size, epochs=1)


if __name__ == "__main__":
    main()
