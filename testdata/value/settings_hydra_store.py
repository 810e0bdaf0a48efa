# no python: it wants Hydra (held against hydra-core 1.3.2)
from dataclasses import dataclass, field

import hydra
from hydra.core.config_store import ConfigStore

@dataclass
class Model:
    units: int = 32

@dataclass
class Config:
    model: Model = field(default_factory=Model)
    batch: int = 64

@dataclass
class Chosen:
    defaults: list = field(default_factory=lambda: [{"model": "wide"}, "_self_"])
    epochs: int = 3

store = ConfigStore.instance()
store.store(name="settings", node=Config)
store.store(group="model", name="wide", node=Model(units=128))
store.store(name="chosen", node=Chosen)

@hydra.main(version_base=None, config_name="settings")
def main(cfg: Config) -> None:
    global units, batch
    units = cfg.model.units  # value: 32 # soft
    batch = cfg.batch  # value: 64 # soft

@hydra.main(version_base=None, config_name="chosen")
def second(cfg):
    global wide, epochs
    wide, epochs = cfg.model.units, cfg.epochs  # value wide: 128 # value epochs: 3

main()
second()
