# The shape of a training script: constants, flags, main.
import argparse
import os
import sys
from typing import Dict, List, Optional, Tuple, Union

BATCH_SIZE = 64
IMG_HEIGHT = IMG_WIDTH = 224
INPUT_SHAPE = (IMG_HEIGHT, IMG_WIDTH, 3)
EPOCHS, LR = 10, 1e-3
BUFFER = BATCH_SIZE * 10
DATA_DIR = os.path.join("data", "train")
GPUS = [int(g) for g in "0,1".split(",")]
Shape = Tuple[int, ...]
Sizes = Union[int, List[int]]

a = INPUT_SHAPE, INPUT_SHAPE[:2], (None,) + INPUT_SHAPE  # value: ((224, 224, 3), (224, 224), (None, 224, 224, 3))
b = BATCH_SIZE * len(GPUS), BUFFER, DATA_DIR  # value: (128, 640, 'data/train')


def run(args: argparse.Namespace, sizes: Optional[Sizes] = None, **kwargs: Dict[str, int]) -> Shape:
    steps = 1000 // args.batch_size + bool(1000 % args.batch_size)
    decay = [args.lr * 0.5 ** (epoch // 3) for epoch in range(args.epochs)]
    if not sizes:
        sizes = [args.batch_size * n for n in (1, 2)]
    elif isinstance(sizes, int):
        sizes = [sizes]
    return steps, decay[-1], sizes, kwargs.get("verbose", 1)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=BATCH_SIZE)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--lr", type=float, default=LR)
    args = parser.parse_args([] if argv is None else argv)
    return run(args), run(args, 5, verbose=0), run(args, sizes=[1])[2]


if __name__ == "__main__":
    c = main()  # value c: ((16, 0.000125, [64, 128], 1), (16, 0.000125, [5], 0), [1])
d = [w for w in range(0, IMG_WIDTH, 96)]  # value: [0, 96, 192]
e = "%s/model_%03d_%.4f.h5" % (DATA_DIR, EPOCHS, LR)  # value: 'data/train/model_010_0.0010.h5'
f = {"a": 1, **{f"layer_{i}": 2 ** i for i in range(3)}}  # value: {'a': 1, 'layer_0': 1, 'layer_1': 2, 'layer_2': 4}
g = [x for xs in [[1], [2, 3]] for x in xs if x != 2]  # value: [1, 3]
h = sum(p[0] * p[1] for p in zip((1, 2), (3, 4)))  # value: 11
i = sorted(f.items(), key=lambda kv: (-kv[1], kv[0]))[0]  # value: ('layer_2', 4)
j = min(f, key=f.get), max(f.values())  # value: ('a', 4)
k = list(f)[1:][::-1]  # value: ['layer_2', 'layer_1', 'layer_0']
