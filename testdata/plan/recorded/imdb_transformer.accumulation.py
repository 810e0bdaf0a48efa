"""After keras.io's "Text classification with Transformer": a block as a layer, tokens and positions."""
# device: 912 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers, ops

vocab_size, maxlen = 20000, 200
embed_dim, num_heads, ff_dim = 64, 4, 128
x_train = np.zeros((256, maxlen), "int32")
y_train = np.zeros((256,), "int32")


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.1):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = keras.Sequential([layers.Dense(ff_dim, activation="gelu"), layers.Dense(embed_dim)])
        self.norm1 = layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = layers.Dropout(rate)
        self.dropout2 = layers.Dropout(rate)

    def call(self, inputs):
        attended = self.norm1(inputs + self.dropout1(self.att(inputs, inputs)))
        return self.norm2(attended + self.dropout2(self.ffn(attended)))


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.tokens = layers.Embedding(input_dim=vocab_size, output_dim=embed_dim)
        self.positions = layers.Embedding(input_dim=maxlen, output_dim=embed_dim)

    def call(self, x):
        return self.tokens(x) + self.positions(ops.arange(0, ops.shape(x)[-1], 1))


inputs = layers.Input(shape=(maxlen,))
x = TokenAndPositionEmbedding(maxlen, vocab_size, embed_dim)(inputs)
x = TransformerBlock(embed_dim, num_heads, ff_dim)(x)
x = layers.GlobalAveragePooling1D()(x)
x = layers.Dropout(0.1)(x)
x = layers.Dense(20, activation="relu")(x)
outputs = layers.Dense(2, activation="softmax")(x)
model = keras.Model(inputs=inputs, outputs=outputs)
model.compile(optimizer=keras.optimizers.Adam(gradient_accumulation_steps=4), loss="sparse_categorical_crossentropy", metrics=["accuracy"], jit_compile=False)
model.fit(x_train, y_train, batch_size=8, epochs=2)
