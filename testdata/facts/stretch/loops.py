# What the body of a loop takes from the code around it and gives to it.
import numpy as np
import tensorflow as tf

size = 3
scores, best = [], 0.0
images = np.zeros((10, 4))
model = None


def build(units):
    return tf.keras.Sequential([tf.keras.layers.Dense(units)])


for units in (1, 2):  # stretch: reads build, reads units, reads images
    net = build(units)
    net.compile("adam", "mse")
    net.fit(images, images)

for units in (1, 2):  # stretch: reads scores, reads build, reads units, changes scores
    scores.append(build(units).count_params())

for units in (1, 2):  # stretch: reads best, reads units, uses best, carried best
    best = max(best, units)

for units in (1, 2):  # stretch: reads best, reads units, uses best, carried best
    best += units

print(best)

for units in (1, 2):  # stretch: reads build, reads units, uses last
    last = build(units)

last.summary()

for units in (1, 2):  # stretch: reads units, reads images, leaves break
    if units > 1:
        break
    for row in images:
        if row[0]:
            break

for units in (1, 2):  # stretch: reads units
    total = 0
    for n in range(units):
        total += n

for units in (1, 2):  # stretch: reads images, reads units, reads size, changes images
    images[units] = size

for units in (1, 2):  # stretch: reads images
    flat = images.reshape(-1)
    print([units for units in flat])

for units in (1, 2):  # stretch: reads images, changes images
    images.sort()

for units in (1, 2):  # stretch: reads units, reads scores, carried seen
    if units:
        seen = 1
    print(seen, scores)

for units in (1, 2):  # stretch: reads build, reads units
    def inner():
        return made

    made = build(units)
    inner()
    del made
