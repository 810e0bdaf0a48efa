"""Records what real TensorFlow has in use at most while the weights of models are made.

    python record_build.py build.txt --out build.csv

Each line of build.txt is a case: a name, and statements that make the model `m`. What stands
before " ## " prepares it, and is not recorded. Cases that build.csv has are not repeated. They run
under Keras 3 and under tf_keras, each in a fork of a process that has imported TensorFlow, with a
pool of its own. weights is what is left in use, build_peak the most that was; both are above what
was in use before. Arrays become tensors as on a GPU (see on_device in record_data.py).
"""

import argparse
import csv
import gc
import os
import subprocess
import sys
import tempfile

import numpy as np

import record
from record_data import on_device

COLUMNS = ("case", "keras", "weights", "build_peak", "note")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases")
    parser.add_argument("--out")
    parser.add_argument("--without", nargs="*", default=[], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.out is None:
        record_all(arguments.cases, arguments.without)
        return
    there = record.read_table(arguments.out)
    with open(arguments.out, "a", newline="") as file:
        if not there:
            csv.writer(file, lineterminator="\n").writerow(COLUMNS)
            file.flush()
        for legacy in (False, True):
            done = [row["case"] for row in there if row["keras"].startswith("tf_keras") == legacy]
            # A row is written when it is recorded: a run that is ended goes on in the next one.
            subprocess.run(
                [sys.executable, __file__, arguments.cases, "--without", *done], check=True, stdout=file,
                env=os.environ | record.ENVIRONMENT | {"TF_USE_LEGACY_KERAS": "1" if legacy else "0"},
            )


def record_all(path, without):
    import tensorflow
    if os.environ["TF_USE_LEGACY_KERAS"] == "1":
        import tf_keras as keras
    else:
        import keras
    from tensorflow.python.framework import constant_op

    converted = constant_op.convert_to_eager_tensor

    def on_gpu(value, *rest):
        numeric = isinstance(value, np.ndarray) and value.dtype.kind in "biufc"
        return on_device(converted(value.view(Aligned) if numeric else value, *rest))

    constant_op.convert_to_eager_tensor = on_gpu
    out, sys.stdout = sys.stdout, sys.stderr  # Keras prints, too
    table = csv.writer(out, lineterminator="\n")
    version = record.versions()["keras"]
    with open(path) as file:
        lines = [line for line in file.read().splitlines() if line and not line.startswith("#")]
    os.chdir(tempfile.mkdtemp())
    for line in lines:
        name, _, code = line.partition(": ")
        if name in without:
            continue
        before, _, made = code.rpartition(" ## ")
        if os.fork() == 0:
            try:
                row = record_one(record.prepared(), keras, before, made)
            except Exception as error:  # this Keras refuses it
                row = ["", "", f"{type(error).__name__}: {error}".replace(",", ";").splitlines()[0][:80]]
            table.writerow([name, version, *row])
            out.flush()
            os._exit(0)
        os.wait()


class Aligned(np.ndarray):
    """An array whose copy a tensor of a CPU shares: what is on the host does not count on a GPU
    (tensorflow/python/framework/constant_op.py copies each array; python/lib/core/ndarray_tensor.cc
    shares one that is aligned)."""

    def copy(self, order="C"):
        room = np.empty(self.nbytes + 64, np.uint8)
        start = -room.ctypes.data % 64
        out = room[start:start + self.nbytes].view(self.dtype).reshape(self.shape)
        out[...] = self
        return out


def record_one(tf, keras, before, made):
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
