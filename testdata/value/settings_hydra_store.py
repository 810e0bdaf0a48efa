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

ConfigStore.instance().store(name="settings", node=Config)

@hydra.main(version_base=None, config_name="settings")
def main(cfg: Config) -> None:
    global units, batch
    units = cfg.model.units  # value: 32 # soft
    batch = cfg.batch  # value: 64 # soft

main()
