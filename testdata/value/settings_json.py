import json
from argparse import Namespace
from collections import OrderedDict
from types import SimpleNamespace

text = '{"train": {"batch": 32, "sizes": [1, {"n": 2}]}, "name": "a"}'
plain = json.loads(text)  # value: {'train': {'batch': 32, 'sizes': [1, {'n': 2}]}, 'name': 'a'}
ordered = json.loads(text, object_pairs_hook=OrderedDict)["train"]["sizes"][1]["n"]  # value: 2
pairs = json.loads(text, object_pairs_hook=dict)["train"]["batch"]  # value: 32
spaced = json.loads(text, object_hook=lambda d: SimpleNamespace(**d))
batch = spaced.train.batch, spaced.train.sizes[1].n  # value: (32, 2)
named = json.loads(text, object_hook=lambda d: Namespace(**d)).train.batch  # value: 32
count = json.loads(text, object_pairs_hook=lambda items: len(items))  # value: 2
none = json.loads(text, object_hook=None)["name"]  # value: 'a'


class Settings(dict):
    def __getattr__(self, name):
        return self[name]


own = json.loads(text, object_hook=Settings).train.batch  # value: 32
numbers = json.loads(text, parse_int=float)  # unknown: what is made of JSON with parse_int
