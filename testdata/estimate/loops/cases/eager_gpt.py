"""Decoder only language model in a class hierarchy, config in a dataclass, tied embeddings."""
from dataclasses import dataclass

import numpy as np
import keras
from keras import layers, ops


@dataclass
class GPTConfig:
    vocab_size: int = 2048
    block_size: int = 128
    n_layer: int = 3
    n_head: int = 4
    n_embd: int = 128
    dropout: float = 0.1
    batch: int = 8


class CausalSelfAttention(layers.Layer):
    def __init__(self, cfg, **kw):
        super().__init__(**kw)
        assert cfg.n_embd % cfg.n_head == 0
        self.cfg = cfg
        self.c_attn = layers.Dense(3 * cfg.n_embd)
        self.c_proj = layers.Dense(cfg.n_embd)
        self.attn_drop = layers.Dropout(cfg.dropout)
        self.resid_drop = layers.Dropout(cfg.dropout)

    def call(self, x):
        B, T, C = ops.shape(x)
        nh, hs = self.cfg.n_head, self.cfg.n_embd // self.cfg.n_head
        q, k, v = ops.split(self.c_attn(x), 3, axis=-1)
        q = ops.transpose(ops.reshape(q, (B, T, nh, hs)), (0, 2, 1, 3))
        k = ops.transpose(ops.reshape(k, (B, T, nh, hs)), (0, 2, 1, 3))
        v = ops.transpose(ops.reshape(v, (B, T, nh, hs)), (0, 2, 1, 3))
        att = ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))) / np.sqrt(hs)
        mask = ops.tril(ops.ones((T, T)))
        att = ops.where(mask == 0, -1e9, att)
        att = self.attn_drop(ops.softmax(att, axis=-1))
        y = ops.transpose(ops.matmul(att, v), (0, 2, 1, 3))
        return self.resid_drop(self.c_proj(ops.reshape(y, (B, T, C))))


class Block(layers.Layer):
    def __init__(self, cfg, **kw):
        super().__init__(**kw)
        self.ln_1 = layers.LayerNormalization(epsilon=1e-5)
        self.attn = CausalSelfAttention(cfg)
        self.ln_2 = layers.LayerNormalization(epsilon=1e-5)
        self.fc = layers.Dense(4 * cfg.n_embd, activation="gelu")
        self.proj = layers.Dense(cfg.n_embd)
        self.drop = layers.Dropout(cfg.dropout)

    def call(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.drop(self.proj(self.fc(self.ln_2(x))))


class GPT(keras.Model):
    def __init__(self, cfg, **kw):
        super().__init__(**kw)
        self.cfg = cfg
        self.wte = layers.Embedding(cfg.vocab_size, cfg.n_embd)
        self.wpe = layers.Embedding(cfg.block_size, cfg.n_embd)
        self.drop = layers.Dropout(cfg.dropout)
        self.blocks = [Block(cfg, name=f"h{i}") for i in range(cfg.n_layer)]
        self.ln_f = layers.LayerNormalization(epsilon=1e-5)

    def call(self, idx):
        T = idx.shape[1]
        x = self.wte(idx) + self.wpe(ops.arange(T))
        x = self.drop(x)
        for b in self.blocks:
            x = b(x)
        x = self.ln_f(x)
        return ops.matmul(x, ops.transpose(self.wte.embeddings))


cfg = GPTConfig(n_layer=4)
model = GPT(cfg)
lr = keras.optimizers.schedules.CosineDecay(1e-5, 1000, warmup_target=6e-4, warmup_steps=100)
model.compile(
    run_eagerly=True,
    optimizer=keras.optimizers.Lion(learning_rate=lr, weight_decay=0.1, global_clipnorm=1.0),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
tokens = np.random.randint(0, cfg.vocab_size, (64, cfg.block_size + 1))
model.fit(tokens[:, :-1], tokens[:, 1:], batch_size=cfg.batch, epochs=1)
