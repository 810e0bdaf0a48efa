# no python: it wants Hydra (held against hydra-core 1.3.2)
import hydra
from omegaconf import DictConfig, OmegaConf

@hydra.main(version_base=None, config_path="data/hydra", config_name="config")
def main(cfg: DictConfig):
    global batch, epochs, units, activation, steps, left
    batch, epochs = cfg.batch, cfg.epochs  # value batch: 64 # value epochs: 3
    units = cfg.units  # value: 32 # soft
    activation = cfg.model["activation"]  # value: 'relu'
    steps = cfg.train.schedule.steps  # value: 100
    left = "defaults" in cfg  # value: False

if __name__ == "__main__":
    main()
