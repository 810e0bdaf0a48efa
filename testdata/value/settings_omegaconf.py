# no python: it wants OmegaConf (held against OmegaConf 2.3.0)
import os
from dataclasses import dataclass, field
from typing import List

from omegaconf import OmegaConf

settings = OmegaConf.load(os.path.join(os.path.dirname(__file__), "data/omega.yaml"))
rate = settings.rate  # value: 0.001 # soft
width = settings.model.width  # value: 64
layers = list(settings["model"]["layers"])  # value: [128, 64]
name = settings.model.name  # unknown: width_
seed = None
if "seed" not in settings:
    seed = OmegaConf.to_container(settings)["model"]["seed"]  # unknown: must give

@dataclass
class Model:
    units: int = 32
    layers: List[int] = field(default_factory=lambda: [8, 4])

@dataclass
class Config:
    model: Model = field(default_factory=Model)
    batch: int = 16

structured = OmegaConf.structured(Config)
units = structured.model.units  # value: 32
batch = OmegaConf.structured(Config(batch=64)).batch  # value: 64
merged = OmegaConf.merge(structured, {"model": {"units": 5}})
both = merged.model.units, merged.batch  # value: (5, 16)
plain = OmegaConf.to_container(OmegaConf.create({"a": [1, {"b": 2}]}))  # value: {'a': [1, {'b': 2}]}
texts = OmegaConf.create("a: 1\nb: ${a}").b  # value: 1
