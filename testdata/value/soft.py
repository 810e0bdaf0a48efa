# What is only so by default, and what is so whatever the command line says.
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--depth", type=int, default=3)
parser.add_argument("--big", action="store_true")
parser.add_argument("--kind", default="a")
args = parser.parse_args()
layers = []
for i in range(args.depth):
    layers.append(i * 2)
a = len(layers)  # value: 3
width = 64
if args.big:
    width = 128
    other = 1
b = width  # value: 64 # soft
kinds = {"a": 1, "b": 2}
c = kinds[args.kind]  # value: 1 # soft


def choose(kind):
    if kind == "a":
        size = 10
    elif kind == "b":
        size = 20
    else:
        raise ValueError(kind)
    return size


d = choose(args.kind)  # value: 10 # soft # lit: 10
e = choose("b")  # value: 20 # hard
f = args.depth > 2 and 7  # value: 7 # soft
g = 5 if args.depth else 6  # value: 5 # soft
h = max(args.depth, 1)  # value: 3 # soft
i = str(args.depth) + "x"  # value: '3x' # soft
j = [args.depth, 4]
k = sum(j)  # value: 7 # soft
l = [v for v in range(args.depth)]  # value: [0, 1, 2]
m = abs(-args.depth)  # value: 3 # soft


def early(flag):
    if flag:
        return 1
    return 2


n = early(args.big)  # value: 2 # soft
if args.kind == "a":
    o = 1
else:
    o = 1
p = o  # value: 1 # hard
import random
if random.random() < 0.5:
    q = args.depth
    r = 3
else:
    q = 3
    r = args.depth
s = q  # value: 3 # soft
t = r  # value: 3 # soft
