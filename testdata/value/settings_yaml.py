# no python: it wants PyYAML (held against PyYAML 6.0.3)
import os

import yaml

with open(os.path.join(os.path.dirname(__file__), "data/train.yaml")) as f:
    settings = yaml.safe_load(f)
model = settings["model"]  # value: {'optimizer': 'adam', 'rate': '1e-3', 'decay': 0.0001, 'units': '0256x', 'layers': [128, 64], 'depth': 1000, 'bias': True, 'seed': None, 'name': '64', 'notes': 'two\nlines\n', 'sizes': [{'width': 8, 'height': 6}, {'width': 4}]}
depth = model["depth"]  # value: 1000 # soft
text = yaml.load("a: 1\nb: [x, 'y']\n3: off\n", Loader=yaml.FullLoader)  # value: {'a': 1, 'b': ['x', 'y'], 3: False}
depth_of_text = text["a"]  # value: 1 # hard
flow = yaml.safe_load("{a: -5, b: +1.5, c: .5, d: 1., e: '', f: null, g: 'yes'}")  # value: {'a': -5, 'b': 1.5, 'c': 0.5, 'd': 1.0, 'e': '', 'f': None, 'g': 'yes'}
empty = yaml.safe_load("")  # value: None
octal = yaml.safe_load("a: 010")["a"]  # unknown: what YAML makes of 010
minutes = yaml.safe_load("a: 1:30")["a"]  # unknown: what YAML makes
day = yaml.safe_load("a: 2024-01-02")["a"]  # unknown: what YAML makes
tagged = yaml.safe_load("a: !!str 3")["a"]  # unknown: tag
two = yaml.safe_load("a: &x {n: 1}\nb: *x\nc: {<<: [*x, {n: 2, m: 3}], k: 4}")  # value: {'a': {'n': 1}, 'b': {'n': 1}, 'c': {'n': 1, 'm': 3, 'k': 4}}
