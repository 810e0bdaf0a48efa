# A configuration object, heads that must divide, and layers in dicts.
import math
from dataclasses import dataclass
from typing import Optional

from tinylib import Dense, Input, Layer


@dataclass
class Config:
    d_model: int = 64
    heads: int = 4
    depth: int = 2
    ratio: float = 4.0
    d_ff: Optional[int] = None
    vocab: int = 1000

    @property
    def head_dim(self):
        assert self.d_model % self.heads == 0, "heads must divide d_model"
        return self.d_model // self.heads

    def __post_init__(self):
        if self.d_ff is None:
            self.d_ff = int(self.d_model * self.ratio)


class Attention(Layer):
    def __init__(self, config):
        super().__init__()
        self.scale = 1 / math.sqrt(config.head_dim)
        self.q, self.k, self.v = (Dense(config.d_model) for _ in "qkv")

    def call(self, x, mask=None):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return q + k + v


class Block(Layer):
    def __init__(self, config, index):
        super().__init__(name=f"block_{index}")
        self.attention = Attention(config)
        self.ff = [Dense(config.d_ff), Dense(config.d_model)]

    def call(self, x):
        x = x + self.attention(x)
        y = x
        for layer in self.ff:
            y = layer(y)
        return x + y


class Transformer(Layer):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embed = Dense(config.d_model)
        self.blocks = [Block(config, i) for i in range(config.depth)]
        self.head = Dense(config.vocab)

    def call(self, x):
        x = self.embed(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


config = Config(d_model=128, depth=3)
model = Transformer(config)
a = model(Input((7, 1))).shape  # value: (7, 1000)
b = [block.name for block in model.blocks]  # value: ['block_0', 'block_1', 'block_2']
c = config.d_ff, config.head_dim  # value: (512, 32)
d = round(model.blocks[0].attention.scale, 6)  # value: 0.176777
e = model.blocks[-1].ff[0].units  # value: 512
f = Config().d_ff, Config(d_ff=8).d_ff  # value: (256, 8)
