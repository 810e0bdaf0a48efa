"""Records how much memory stays of each model that a loop reads from a file and only calls, in MiB.

    python record_saved.py > saved.json

Needs TensorFlow, tf_keras and tensorflow_hub, and no GPU. Every row runs in a process of its own. It makes the
same model of 16 MiB thirty times and calls it; the earlier ones have no name any more, and nothing collects
garbage but Python itself. `of` is the table's name of what makes the model.
"""

import json
import os
import subprocess
import sys

ROWS = [
    ("tensorflow.saved_model.load", "tf.saved_model.load(folder)"),
    ("tensorflow_hub.load", "hub.load(folder)"),
    ("tensorflow_hub.KerasLayer", "hub.KerasLayer(folder)"),
    ("tensorflow.keras.models.load_model", "keras.models.load_model(folder + '/model.keras')"),
    ("a class of the program", "Own()"),
]

PROGRAM = """
import os, tempfile
import tensorflow as tf
import tensorflow_hub as hub
import tf_keras as keras


class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2048)

    def call(self, x):
        return self.dense(x)


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


folder = tempfile.mkdtemp()
made = keras.Sequential([keras.Input((2048,)), keras.layers.Dense(2048)])
made.save(folder, save_format="tf")
made.save(folder + "/model.keras")
x = tf.ones((2, 2048))
made = MAKE
made(x)
before = resident()
for _ in range(30):
    made = MAKE
    made(x)
print(tf.__version__, (resident() - before) / 30 / 2**20)
"""


def main():
    rows = []
    env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", TF_USE_LEGACY_KERAS="1")
    for of, make in ROWS:
        done = subprocess.run([sys.executable, "-c", PROGRAM.replace("MAKE", make)], capture_output=True, text=True, env=env)
        if done.returncode != 0:
            sys.exit(done.stderr)
        version, mib = done.stdout.split()
        rows.append({"of": of, "mib": round(float(mib)), "tensorflow": version})
    json.dump(rows, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
