# no python: libraries of dictionaries whose keys are attributes, which it need not have
import ml_collections
import munch
from attrdict import AttrDict
from easydict import EasyDict as edict
from ml_collections import config_dict
from omegaconf import OmegaConf


def get_config():
    c = ml_collections.ConfigDict()
    c.units = 7
    c.model = ml_collections.ConfigDict({"dim": 3})
    c.model.depth = c.model.dim + 1
    c.batch_size = 16
    return c


c = get_config()
a = c.units, c["units"], c.model.dim, c.model["depth"], len(c)  # value: (7, 7, 3, 4, 3)
b = c.batch_size  # lit: 16
e = edict()
e.train = {"bs": 12, "sizes": [1, 2]}
plain = {"k": 1}
e.plain = plain
plain["k"] = 2
f = e.train.bs, e.train.sizes[1], e.plain.k, e.get("none", 5), sorted(e.keys())  # value: (12, 2, 1, 5, ['plain', 'train'])
g = {**e.train}["bs"]  # value: 12
o = OmegaConf.create({"u": 9, "d": {"bs": 11}})
h = o.u, o.d.bs  # value: (9, 11)
i = [k for k in config_dict.ConfigDict(dict(x=1, y=2))]  # value: ['x', 'y']
j = e.nothing  # unknown: nothing
if unknown():
    o.u = 10
k = o.u  # unknown: unknown
l = o.d.bs  # value: 11
attrs = AttrDict({"units": 5, "inner": {"rate": 2}})
attrs.more = attrs.units + attrs.inner.rate
t = attrs.more, attrs["more"]  # value: (7, 7)
deep = edict({"stages": [{"units": 3}, {"units": 4}], "pair": ({"rate": 2},)})
u = [s.units for s in deep.stages], deep.pair[0].rate, deep["stages"][1]["units"]  # value: ([3, 4], 2, 4)
deep.more = [{"width": 6}]
v = deep.more[0].width  # value: 6
w = munch.munchify({"stages": [{"units": 3}]}).stages[0].units  # value: 3
read = edict(unknown())
x = read.units  # unknown: unknown
read.units = 8
y = read.units, edict(unknown(), rate=3).rate  # value: (8, 3)
