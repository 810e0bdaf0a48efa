# no python: it wants Hydra
import hydra

@hydra.main(version_base=None, config_path="data/hydra", config_name="experiment")
def main(cfg):
    global batch
    batch = cfg.batch  # unknown: default 'model'

@hydra.main(version_base=None, config_path="nowhere", config_name="config")
def other(cfg):
    global size
    size = cfg.size  # unknown: the settings config

main()
other()
