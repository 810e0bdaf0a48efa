# no python: tomllib came with Python 3.11 (held against Python 3.11)
import tomllib

text = """
title = 'a'
"quoted key" = "b\\tc"
a.b.c = 1
x = [1, 2.5, [true, "z"], {n = 3, m.k = 4}]
hex = 0xff
big = 1_000
plus = +5
minus = -7
rate = 1e-3
[train]
batch_size = 512  # as written
[train.optimizer]
name = 'adam'
[[layers]]
units = 128
[[layers]]
units = 64
[layers.more]
bias = false
"""
settings = tomllib.loads(text)  # value: {'title': 'a', 'quoted key': 'b\tc', 'a': {'b': {'c': 1}}, 'x': [1, 2.5, [True, 'z'], {'n': 3, 'm': {'k': 4}}], 'hex': 255, 'big': 1000, 'plus': 5, 'minus': -7, 'rate': 0.001, 'train': {'batch_size': 512, 'optimizer': {'name': 'adam'}}, 'layers': [{'units': 128}, {'units': 64, 'more': {'bias': False}}]}
batch = settings["train"]["batch_size"]  # value: 512 # hard
broken = tomllib.loads("a = ")  # unknown: a text that is no TOML
twice = tomllib.loads("a = 1\na = 2")  # unknown: a text that is no TOML
day = tomllib.loads("a = 2024-01-02")["a"]  # unknown: what TOML makes of 2024-01-02
