"""Records what real TensorFlow has in use at most while the weights of models are made.

    python record_build.py build.txt --out build.csv

Each line of build.txt is a case: a name, and statements that make the model `m`. What stands
before " ## " prepares it, and is not recorded. The cases run under Keras 3 and under tf_keras, each in a
fork of a process that has imported TensorFlow, with a pool of its own. weights is what is left in use, build_peak the most that was; both are above
what was in use before. Arrays become tensors as on a GPU (see on_device in record_data.py).
"""

import argparse
import csv
import gc
import os
import subprocess
import sys
import tempfile

import record
from record_data import on_device

COLUMNS = ("case", "keras", "weights", "build_peak", "note")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    if arguments.out is None:
        record_all(arguments.cases)
        return
    with open(arguments.out, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        for legacy in ("0", "1"):
            output = subprocess.run(
                [sys.executable, __file__, arguments.cases], check=True, stdout=subprocess.PIPE,
                env=os.environ | record.ENVIRONMENT | {"TF_USE_LEGACY_KERAS": legacy},
            ).stdout.decode()
            lines = [line for line in output.splitlines() if line.count(",") >= 4]
            table.writerows(csv.DictReader(lines))
            file.flush()


def record_all(path):
    import tensorflow
    if os.environ["TF_USE_LEGACY_KERAS"] == "1":
        import tf_keras as keras
    else:
        import keras
    from tensorflow.python.framework import constant_op

    converted = constant_op.convert_to_eager_tensor
    constant_op.convert_to_eager_tensor = lambda *made_of: on_device(converted(*made_of))
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    version = record.versions()["keras"]
    with open(path) as file:
        lines = [line for line in file.read().splitlines() if line and not line.startswith("#")]
    os.chdir(tempfile.mkdtemp())
    for line in lines:
        name, _, code = line.partition(": ")
        before, _, made = code.rpartition(" ## ")
        sys.stdout.flush()
        if os.fork() == 0:
            try:
                row = record_one(record.prepared(), keras, before, made)
            except Exception as error:  # this Keras refuses it
                row = ["", "", f"{type(error).__name__}: {error}".replace(",", ";").splitlines()[0][:80]]
            table.writerow([name, version, *row])
            sys.stdout.flush()
            os._exit(0)
        os.wait()


def record_one(tf, keras, before, made):
    import numpy as np

    names = {"tf": tf, "keras": keras, "np": np, "layers": keras.layers}
    # Statements run one by one: a compiled text would keep what it refers to.
    exec(before, names)
    names.pop("m", None)
    keras.backend.clear_session()
    gc.collect()
    tf.config.experimental.reset_memory_stats("CPU:0")
    start = tf.config.experimental.get_memory_info("CPU:0")["current"]
    exec(made, names)
    used = tf.config.experimental.get_memory_info("CPU:0")
    weights = sum(record.variable_bytes(v) for v in names["m"].weights)
    return [weights, used["peak"] - start, ""]


if __name__ == "__main__":
    main()
