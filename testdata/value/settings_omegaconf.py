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

linked = OmegaConf.create("units: 64\nmodel:\n  hidden: ${units}\n  sizes: [1, '${units}']\n")
before = linked.model.hidden  # value: 64
as_written = OmegaConf.to_container(linked)["model"]["hidden"], OmegaConf.to_container(linked, resolve=True)["model"]["hidden"]  # value: ('${units}', 64)
listed = OmegaConf.to_container(linked)["model"]["sizes"], OmegaConf.to_container(linked, resolve=True)["model"]["sizes"]  # value: ([1, '${units}'], [1, 64])
as_objects = OmegaConf.to_object(linked)["model"]["hidden"]  # value: 64
linked.units = 128
after = linked.model.hidden, linked["model"]["hidden"], linked.model.get("hidden"), linked.model.sizes[1]  # value: (128, 128, 128, 128)
over = OmegaConf.merge(linked, OmegaConf.create({"units": 32})).model.hidden  # value: 32
part = linked.model
OmegaConf.update(linked, "units", 16)
updated = linked.units  # unknown: OmegaConf.update
part_of_it = part.sizes  # unknown: OmegaConf.update
other = OmegaConf.create({"units": 64, "hidden": "${units}"})
other.merge_with({"units": 8})
with_others = other.hidden  # unknown: merge_with
OmegaConf.save(other, "/tmp/train.yaml")
saved = OmegaConf.load(os.path.join(os.path.dirname(__file__), "data/train.yaml"))  # unknown: what is in
