# no python: TensorBoard may not be installed
from tensorboard.plugins.hparams import api as hp

UNITS = hp.HParam("units", hp.Discrete([32, 16]))
RATE = hp.HParam("rate", hp.RealInterval(0.1, 0.2), display_name="Rate")
DEPTH = hp.HParam("depth", hp.IntInterval(1, 3))
values = UNITS.domain.values  # value: [16, 32]
names = sorted(p.name for p in (UNITS, RATE, DEPTH))  # value: ['depth', 'rate', 'units']
ends = RATE.domain.min_value, DEPTH.domain.max_value  # value: (0.1, 3)
shown = RATE.display_name, UNITS.display_name  # value: ('Rate', None)
chosen = {UNITS: 16, RATE: 0.1}
units = chosen[UNITS]  # value: 16
named = {p.name: v for p, v in chosen.items()}  # value: {'units': 16, 'rate': 0.1}
