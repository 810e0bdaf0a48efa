"""TimeDistributed CNN features, positional embedding and a transformer encoder over frames."""
import keras
import numpy as np
from keras import layers

SEQ, SIZE, CLASSES = 10, 48, 5


class PositionalEmbedding(layers.Layer):
    def __init__(self, length, dim, **kwargs):
        super().__init__(**kwargs)
        self.position_embeddings = layers.Embedding(input_dim=length, output_dim=dim)
        self.length = length
        self.dim = dim

    def build(self, input_shape):
        self.position_embeddings.build(input_shape)

    def call(self, inputs):
        inputs = keras.ops.cast(inputs, self.compute_dtype)
        length = keras.ops.shape(inputs)[1]
        positions = keras.ops.arange(start=0, stop=length, step=1)
        return inputs + self.position_embeddings(positions)


class TransformerEncoder(layers.Layer):
    def __init__(self, embed_dim, dense_dim, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.attention = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim, dropout=0.3)
        self.dense_proj = keras.Sequential(
            [layers.Dense(dense_dim, activation=keras.activations.gelu), layers.Dense(embed_dim)]
        )
        self.layernorm_1 = layers.LayerNormalization()
        self.layernorm_2 = layers.LayerNormalization()

    def call(self, inputs, mask=None):
        out = self.attention(inputs, inputs, attention_mask=mask)
        proj_in = self.layernorm_1(inputs + out)
        return self.layernorm_2(proj_in + self.dense_proj(proj_in))


def frame_cnn():
    return keras.Sequential([
        keras.Input((SIZE, SIZE, 3)),
        layers.Conv2D(24, 3, strides=2, padding="same", activation="relu"),
        layers.Conv2D(48, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(2),
        layers.Conv2D(96, 3, padding="same", activation="relu"),
        layers.GlobalMaxPooling2D(),
    ], name="frame_cnn")


inputs = keras.Input((SEQ, SIZE, SIZE, 3))
x = layers.TimeDistributed(frame_cnn())(inputs)
x = PositionalEmbedding(SEQ, 96)(x)
x = TransformerEncoder(96, 64, 4)(x)
x = layers.GlobalMaxPooling1D()(x)
x = layers.Dropout(0.5)(x)
outputs = layers.Dense(CLASSES, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adafactor(1e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(np.random.rand(24, SEQ, SIZE, SIZE, 3).astype("float32"), np.random.randint(0, CLASSES, 24), batch_size=6, epochs=1)
