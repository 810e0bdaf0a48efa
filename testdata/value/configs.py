# Configurations: dicts and lists that loops build from.
import copy
import functools
import itertools
import math
import os.path

CONFIG = {
    "blocks": [
        {"filters": 32, "kernel": (3, 3), "repeats": 2},
        {"filters": 64, "kernel": (3, 3), "repeats": 3, "stride": 2},
    ],
    "head": {"units": [128, 10]},
}


def expand(config, width=1.0, divisor=8):
    def scale(filters):
        filters *= width
        new = max(divisor, int(filters + divisor / 2) // divisor * divisor)
        if new < 0.9 * filters:
            new += divisor
        return int(new)

    out = []
    for block in config["blocks"]:
        args = copy.deepcopy(block)
        args["filters"] = scale(args["filters"])
        repeats = int(math.ceil(1.2 * args.pop("repeats")))
        for j in range(repeats):
            if j > 0:
                args["stride"] = 1
            out.append((args["filters"], args.get("stride", 1)))
    return out


a = expand(CONFIG)  # value: [(32, 1), (32, 1), (32, 1), (64, 2), (64, 1), (64, 1), (64, 1)]
b = expand(CONFIG, 1.4)[0]  # value: (48, 1)
c = CONFIG["blocks"][0]["repeats"]  # value: 2
d = functools.partial(expand, width=2.0)(CONFIG)[-1]  # value: (128, 1)
e = functools.reduce(lambda x, y: x * y, (2, 3, 4))  # value: 24
f = list(itertools.chain([1], (2, 3), "a"))  # value: [1, 2, 3, 'a']
g = list(itertools.product([1, 2], "ab"))  # value: [(1, 'a'), (1, 'b'), (2, 'a'), (2, 'b')]
h = math.prod((2, 3)), math.sqrt(16), math.log2(8), math.floor(-1.5), math.ceil(1.2), math.gcd(12, 18)  # value: (6, 4.0, 3.0, -2, 2, 6)
i = os.path.join("a", "b/", "c.txt"), os.path.basename("/x/y.h5"), os.path.splitext("m.tar.gz")  # value: ('a/b/c.txt', 'y.h5', ('m.tar', '.gz'))
j = list(zip(itertools.count(1), "ab"))  # value: [(1, 'a'), (2, 'b')]
k = [next(it) for it in [iter([5, 6])] * 2]  # value: [5, 6]
l = {**CONFIG["head"], "units": CONFIG["head"]["units"][:1]}  # value: {'units': [128]}
shallow = copy.copy(CONFIG)
shallow["head"]["units"].append(3)
m = CONFIG["head"]["units"]  # value: [128, 10, 3]
n = list(itertools.repeat(0, 3)) + list(itertools.combinations([1, 2, 3], 2))  # value: [0, 0, 0, (1, 2), (1, 3), (2, 3)]
o = [list(group) for group in ((x for x in range(k)) for k in (1, 2))]  # value: [[0], [0, 1]]
p = sorted(CONFIG["blocks"], key=lambda block: -block["filters"])[0]["filters"]  # value: 64
filters = 16
sizes = []
while filters <= 256:
    sizes.append(filters)
    filters *= 2
q = sizes  # value: [16, 32, 64, 128, 256]
r = math.pi, math.inf > 1  # value: (3.141592653589793, True)
s = list(itertools.accumulate([1, 2, 3]))  # value: [1, 3, 6]
t = list(map(int, "1,2,3".split(",")))  # value: [1, 2, 3]
u = [*map(str, range(2))], (*range(2),)  # value: (['0', '1'], (0, 1))
