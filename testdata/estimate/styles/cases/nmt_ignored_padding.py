import numpy as np
import keras
from keras import layers

VOCABULARY, LENGTH, WIDTH = 3000, 40, 96


class Block(layers.Layer):
    def __init__(self, width, heads, crosses, **kwargs):
        super().__init__(**kwargs)
        self.attend = layers.MultiHeadAttention(heads, width // heads)
        self.cross = layers.MultiHeadAttention(heads, width // heads) if crosses else None
        self.norms = [layers.LayerNormalization() for _ in range(3)]
        self.wide = layers.Dense(4 * width, activation="relu")
        self.narrow = layers.Dense(width)

    def call(self, x, memory=None):
        x = self.norms[0](x + self.attend(x, x, use_causal_mask=self.cross is not None))
        if self.cross is not None:
            x = self.norms[1](x + self.cross(x, memory))
        return self.norms[2](x + self.narrow(self.wide(x)))


source = keras.Input((LENGTH,), dtype="int32")
target = keras.Input((LENGTH,), dtype="int32")
memory = Block(WIDTH, 4, False)(layers.Embedding(VOCABULARY, WIDTH)(source))
x = Block(WIDTH, 4, True)(layers.Embedding(VOCABULARY, WIDTH)(target), memory)
words = layers.Dense(VOCABULARY, activation="softmax")(x)
model = keras.Model([source, target], words)
model.compile(
    optimizer=keras.optimizers.Adam(3e-4),
    loss=keras.losses.SparseCategoricalCrossentropy(ignore_class=0),
    jit_compile=False,
)

german = np.random.randint(1, VOCABULARY, (256, LENGTH))
english = np.random.randint(1, VOCABULARY, (256, LENGTH + 1))
lengths = np.random.randint(28, LENGTH, 256)
english[np.arange(LENGTH + 1)[None] >= lengths[:, None]] = 0
model.fit([german, english[:, :-1]], english[:, 1:], batch_size=64, epochs=1)
