# A residual network written as blocks, stages and a table of variants.
import tinylib
from tinylib import Dense, Input

VARIANTS = {18: [2, 2], 50: [3, 4, 6]}
built = []


def dense_bn(x, units, name=None):
    built.append((name, units))
    return Dense(units)(x)


def basic_block(x, units, stride=1, name="block"):
    shortcut = x
    if stride != 1 or shortcut.shape[-1] != units:
        shortcut = dense_bn(x, units, name=name + "_0")
    x = dense_bn(x, units, name=f"{name}_1")
    x = dense_bn(x, units, name=f"{name}_2")
    return x + shortcut


def bottleneck(x, units, stride=1, name="block"):
    return dense_bn(dense_bn(x, units // 4, name + "_a"), units, name + "_b")


def stage(x, block_fn, units, blocks, first_stride, name):
    x = block_fn(x, units, first_stride, name=f"{name}_block1")
    for i in range(2, blocks + 1):
        x = block_fn(x, units, name=f"{name}_block{i}")
    return x


class ResNet:
    def __init__(self, depth, width=8):
        self.blocks = VARIANTS[depth]
        self.block_fn = basic_block if depth < 50 else bottleneck
        self.width = width

    def __call__(self, shape=(4, 4, 3), classes=10):
        x = Input(shape)
        for i, blocks in enumerate(self.blocks):
            x = stage(x, self.block_fn, self.width * 2 ** i, blocks, 1 if i == 0 else 2, name=f"stage{i + 1}")
        return Dense(classes)(x)


a = ResNet(18)().shape  # value: (4, 4, 10)
b = len(built), built[0], built[-1]  # value: (10, ('stage1_block1_0', 8), ('stage2_block2_2', 16))
built.clear()
c = ResNet(depth=50, width=16)(classes=7).shape  # value: (4, 4, 7)
d = [units for _, units in built][-2:], len(built)  # value: ([16, 64], 26)
e = [n for n, _ in built if n.startswith("stage2")][:3]  # value: ['stage2_block1_a', 'stage2_block1_b', 'stage2_block2_a']
