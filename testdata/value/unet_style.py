# An encoder and a decoder that keep what they skip in lists and dicts.
from tinylib import Dense, Input


def unet(shape, filters=(8, 16, 32), depth=None):
    depth = depth if depth is not None else len(filters)
    x = inputs = Input(shape)
    skips = []
    for f in filters[:depth - 1]:
        x = Dense(f)(x)
        skips.append(x)
    x = Dense(filters[depth - 1])(x)
    by_level = {}
    for level, (skip, f) in enumerate(zip(reversed(skips), filters[depth - 2::-1])):
        x = Dense(f)(x)
        x = x + skip
        by_level[f"up{level}"] = x.shape
    return inputs, x, by_level


inputs, outputs, levels = unet((6, 1))
a = outputs.shape  # value: (6, 8)
b = levels  # value: {'up0': (6, 16), 'up1': (6, 8)}
c = unet((2, 1), depth=2)[1].shape  # value: (2, 8)
d = unet((2, 1), filters=[4])[2]  # value: {}
