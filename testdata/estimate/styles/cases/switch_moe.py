"""Text classification with a dense mixture of experts (softmax gate, all experts) and a load loss."""
import keras
import numpy as np
from keras import layers, ops

vocab_size = 10000
num_tokens = 120
embed_dim = 64
num_heads = 2
num_experts = 6
ff_dim = 128


class Expert(layers.Layer):
    def __init__(self, ff_dim, out_dim, **kw):
        super().__init__(**kw)
        self.fc1 = layers.Dense(ff_dim, activation="relu")
        self.fc2 = layers.Dense(out_dim)

    def call(self, x):
        return self.fc2(self.fc1(x))


class MixtureOfExperts(layers.Layer):
    def __init__(self, n, ff_dim, out_dim, alpha=0.01, **kw):
        super().__init__(**kw)
        self.experts = [Expert(ff_dim, out_dim) for _ in range(n)]
        self.gate = layers.Dense(n, use_bias=False)
        self.n = n
        self.alpha = alpha

    def call(self, x):
        probs = ops.softmax(self.gate(x), axis=-1)
        outs = ops.stack([e(x) for e in self.experts], axis=-2)
        usage = ops.mean(probs, axis=(0, 1))
        self.add_loss(self.alpha * self.n * ops.sum(ops.square(usage)))
        return ops.sum(ops.expand_dims(probs, -1) * outs, axis=-2)


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ffn, rate=0.1):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = ffn
        self.ln1 = layers.LayerNormalization(epsilon=1e-6)
        self.ln2 = layers.LayerNormalization(epsilon=1e-6)
        self.d1 = layers.Dropout(rate)
        self.d2 = layers.Dropout(rate)

    def call(self, inputs, training=None):
        a = self.d1(self.att(inputs, inputs), training=training)
        o = self.ln1(inputs + a)
        return self.ln2(o + self.d2(self.ffn(o), training=training))


inputs = layers.Input((num_tokens,))
tok = layers.Embedding(vocab_size, embed_dim)(inputs)
pos = layers.Embedding(num_tokens, embed_dim)(ops.arange(num_tokens))
x = tok + pos
for _ in range(2):
    x = TransformerBlock(embed_dim, num_heads, MixtureOfExperts(num_experts, ff_dim, embed_dim))(x)
x = layers.GlobalAveragePooling1D()(x)
x = layers.Dense(20, activation="relu")(x)
outputs = layers.Dense(2, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Lamb(1e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(np.random.randint(0, vocab_size, (160, num_tokens)), np.random.randint(0, 2, 160), batch_size=32, epochs=1)
