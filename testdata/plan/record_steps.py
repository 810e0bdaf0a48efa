"""Records what real TensorFlow needs for fit with so many steps_per_execution.

    python record_steps.py --out steps.csv

Each row is an epoch of twelve batches, in a process of its own, after one that warms up. peak is the most
that the pool had in use, batch what one batch takes; both are bytes.
"""

import argparse
import csv
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "estimate"))

import record  # noqa: E402

BATCH, BATCHES = 64, 12
COLUMNS = ("model", "steps", "batch", "peak")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        return one(arguments.one[0], int(arguments.one[1]))
    rows = []
    for model in ("pictures", "numbers"):
        for steps in (1, 2, 4, BATCHES):
            command = [sys.executable, os.path.abspath(__file__), "--out", arguments.out, "--one", model, str(steps)]
            said = subprocess.run(command, env=os.environ | record.ENVIRONMENT | {"TF_USE_LEGACY_KERAS": "0"}, stdout=subprocess.PIPE, text=True, check=True)
            batch, peak = said.stdout.split()[-2:]
            rows.append({"model": model, "steps": steps, "batch": batch, "peak": peak})
    with open(arguments.out, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def one(name, steps):
    import keras
    import numpy as np

    tf = record.prepared()
    if name == "pictures":
        layers = [keras.layers.Conv2D(32, 3, activation="relu"), keras.layers.Conv2D(32, 3, activation="relu"), keras.layers.GlobalAveragePooling2D()]
        shape = (64, 64, 3)
    else:
        layers = [keras.layers.Dense(3000, activation="relu")]
        shape = (2000,)
    model = keras.Sequential([keras.Input(shape), *layers, keras.layers.Dense(10)])
    model.compile("adam", "mse", steps_per_execution=steps, jit_compile=False)
    x = np.random.rand(BATCH * BATCHES, *shape).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((x, np.zeros((len(x), 10), "float32"))).batch(BATCH)
    model.fit(data, epochs=1, verbose=0)
    tf.config.experimental.reset_memory_stats("CPU:0")
    model.fit(data, epochs=1, verbose=0)
    print(x[:BATCH].nbytes, tf.config.experimental.get_memory_info("CPU:0")["peak"])


if __name__ == "__main__":
    main()
