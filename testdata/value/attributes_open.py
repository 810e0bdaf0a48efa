# no python: what this is about is not known to Python either until it runs
# Attributes that are set by names that are not known.
import argparse
import mystery


class Plain:
    kind = "plain"

    def __init__(self, **values):
        self.size = 1
        self.__dict__.update(values)


a = Plain(rate=2).rate  # value: 2
b = Plain(rate=2).depth  # unknown: AttributeError
loaded = Plain()
for key, to in mystery.load().items():
    setattr(loaded, key, to)
c = loaded.depth  # unknown: mystery
d = loaded.size  # unknown: mystery
e = loaded.kind  # value: 'plain'
f = hasattr(loaded, "depth")  # unknown: mystery
args = argparse.ArgumentParser().parse_args(args="")
g = args.crop  # unknown: AttributeError
for key, to in mystery.load().items():
    args.__setattr__(key, to)
h = args.crop  # unknown: mystery
args.__setattr__("crop", 3)
i = args.crop  # value: 3
j = sorted(vars(args))  # unknown: mystery
updated = Plain()
updated.__dict__.update(mystery.load())
k = updated.depth  # unknown: mystery
given = Plain(**mystery.load())
l = given.depth, given.size  # unknown: mystery
setattr()
setattr(updated)
setattr(3, "a", 4)
updated.__setattr__()
updated.__setattr__(updated, updated, updated)
m = updated.depth  # unknown: mystery
kept = Plain()
for key, to in mystery.load().items():
    setattr(kept, key, to)
kept.depth = 3
kept.__dict__["width"] = 5
n = kept.depth, kept.width, kept.__dict__.get("depth")  # value: (3, 5, 3)
o = kept.height  # unknown: mystery
kept.__dict__ = {"width": 6}
p = kept.width  # value: 6
q = kept.height  # unknown: AttributeError
kept.height = 7
kept.__dict__ = dict(mystery.load(), width=8)
r = kept.height  # unknown: mystery
s = kept.width  # value: 8
