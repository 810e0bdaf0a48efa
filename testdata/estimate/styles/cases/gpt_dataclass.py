"""A small GPT, after minGPT."""
import math
from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers as tfl


@dataclass
class GPTConfig:
    vocab_size: int
    block_size: int
    n_layer: int = 4
    n_head: int = 4
    n_embd: int = 256
    embd_pdrop: float = 0.1
    resid_pdrop: float = 0.1
    attn_pdrop: float = 0.1


class CausalSelfAttention(tfl.Layer):
    def __init__(self, config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.n_head = config.n_head
        self.n_embd = config.n_embd
        self.key = tfl.Dense(config.n_embd)
        self.query = tfl.Dense(config.n_embd)
        self.value = tfl.Dense(config.n_embd)
        self.attn_drop = tfl.Dropout(config.attn_pdrop)
        self.resid_drop = tfl.Dropout(config.resid_pdrop)
        self.proj = tfl.Dense(config.n_embd)

    def causal_mask(self, nd):
        i = tf.range(nd)[:, None]
        j = tf.range(nd)
        return tf.reshape(tf.cast(i >= j, tf.float32), [1, 1, nd, nd])

    def split_heads(self, x, T):
        return tf.transpose(tf.reshape(x, [-1, T, self.n_head, self.n_embd // self.n_head]), [0, 2, 1, 3])

    def call(self, x, training=None):
        T = x.shape[1]
        k = self.split_heads(self.key(x), T)
        q = self.split_heads(self.query(x), T)
        v = self.split_heads(self.value(x), T)
        att = tf.matmul(q, k, transpose_b=True) * (1.0 / math.sqrt(self.n_embd // self.n_head))
        mask = self.causal_mask(T)
        att = att * mask - 1e10 * (1 - mask)
        att = tf.nn.softmax(att, axis=-1)
        att = self.attn_drop(att, training=training)
        y = tf.matmul(att, v)
        y = tf.reshape(tf.transpose(y, [0, 2, 1, 3]), [-1, T, self.n_embd])
        return self.resid_drop(self.proj(y), training=training)


class Block(tfl.Layer):
    def __init__(self, config):
        super().__init__()
        self.ln1 = tfl.LayerNormalization(epsilon=1e-5)
        self.ln2 = tfl.LayerNormalization(epsilon=1e-5)
        self.attn = CausalSelfAttention(config)
        self.fc = tfl.Dense(4 * config.n_embd, activation="gelu")
        self.out = tfl.Dense(config.n_embd)
        self.drop = tfl.Dropout(config.resid_pdrop)

    def call(self, x, training=None):
        x = x + self.attn(self.ln1(x), training=training)
        x = x + self.drop(self.out(self.fc(self.ln2(x))), training=training)
        return x


class GPT(tf.keras.Model):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.tok_emb = tfl.Embedding(config.vocab_size, config.n_embd)
        self.drop = tfl.Dropout(config.embd_pdrop)
        self.blocks = [Block(config) for _ in range(config.n_layer)]
        self.ln_f = tfl.LayerNormalization(epsilon=1e-5)
        self.head = tfl.Dense(config.vocab_size, use_bias=False)

    def build(self, input_shape):
        self.pos_emb = self.add_weight(name="pos_emb", shape=(1, self.config.block_size, self.config.n_embd),
                                       initializer="zeros", trainable=True)
        super().build(input_shape)

    def call(self, idx, training=None):
        t = idx.shape[1]
        x = self.drop(self.tok_emb(idx) + self.pos_emb[:, :t, :], training=training)
        for block in self.blocks:
            x = block(x, training=training)
        return self.head(self.ln_f(x))


def loss_fn(y, logits):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(y, tf.int32), logits=logits))


text = np.random.randint(0, 512, size=(40, 257)).astype("int32")
model = GPT(GPTConfig(vocab_size=512, block_size=256))
model.compile(optimizer=tf.keras.optimizers.Adam(3e-4, beta_2=0.95, global_clipnorm=1.0), loss=loss_fn)
model.fit(text[:, :-1], text[:, 1:], batch_size=8, epochs=1)
