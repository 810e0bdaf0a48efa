"""Records how much of the device whole arrays take, while the programs in data/cases/ run.

    python record_data.py data/cases/*.py --out data.csv

It needs TensorFlow (the CPU build is enough), tf-keras, and nothing of tfmem.

Each program says how many rows its data has, in a line `ROWS = ...`. It runs twice under Keras 3
and twice under tf_keras, each time in a process of its own, the second time with twice as many
rows. What TensorFlow's allocator has in use more of the second time is what one time's arrays take:
weights, batches and whatever else does not grow with the data are the same in both, if the data are
much larger than the weights: the allocator counts a free block of another size whole. Recorded is the least of the last epoch of each
fit, evaluate and predict, the same of a validation within fit, and the most that is in use from the
first batch of predict until it returns.

A CPU holds two kinds of tensors that a GPU would not, which are left out: integers of 32 bits and
strings, which have no kernel there that makes them a tensor on the device
(tensorflow/core/kernels/identity_op.cc), and what is made under tf.device("CPU").

A tensor of a CPU may share the memory of the NumPy array that it is made of
(tensorflow/python/lib/core/ndarray_tensor.cc), which one of a GPU cannot. Each is therefore copied.
"""

import argparse
import csv
import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import weakref

POOL_MIB = 2048
ENVIRONMENT = {
    "TF_CPU_ALLOCATOR_USE_BFC": "1",
    "TF_CPU_BFC_MEM_LIMIT_IN_MB": str(POOL_MIB),
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "-1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}
EVERY = 20  # so many batches it is looked
COLUMNS = ("program", "keras", "line", "call", "during", "peak", "note")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--out")
    parser.add_argument("--to", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.to:
        with open(arguments.to, "w") as out:
            json.dump(run_all(arguments.programs), out)
        return
    rows = read(arguments.out)
    for legacy in (False, True):
        keras = "tf_keras" if legacy else "3"
        there = {row["program"] for row in rows if row["keras"] == keras}
        waiting = [program for program in arguments.programs if name_of(program) not in there]
        if not waiting:
            continue
        phases = apart(waiting, legacy)
        for program in waiting:
            one, two = phases[name_of(program)]
            if isinstance(one, str) or isinstance(two, str):
                rows.append({"program": name_of(program), "keras": keras, "note": one if isinstance(one, str) else two})
                continue
            for a, b in zip(one, two):
                rows.append({
                    "program": name_of(program), "keras": keras, "line": a["line"], "call": a["call"],
                    "during": b["during"] - a["during"], "peak": b["peak"] - a["peak"] if "peak" in a else "",
                })
        rows.sort(key=lambda row: (row["program"], row["keras"]))
        with open(arguments.out, "w", newline="") as out:
            table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(rows)


def name_of(program):
    return os.path.splitext(os.path.basename(program))[0]


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def apart(programs, legacy):
    """Runs programs in a process of their own, and returns the phases of each with so many rows and
    with twice as many, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        to = os.path.join(folder, "phases.json")
        environment = {**os.environ, **ENVIRONMENT, "TF_USE_LEGACY_KERAS": "1" if legacy else "0"}
        done = subprocess.run(
            [sys.executable, os.path.abspath(__file__), *map(os.path.abspath, programs), "--to", to],
            env=environment, capture_output=True, text=True, cwd=folder,
        )
        if done.returncode != 0:
            sys.exit(done.stderr)
        with open(to) as file:
            return json.load(file)


def on_device(made):
    """A tensor made of an array, in memory of the device's allocator."""
    import tensorflow as tf

    if made.dtype.is_numpy_compatible and made.dtype not in (tf.string, tf.resource, tf.variant) and made.shape.rank:
        return tf.raw_ops.DeepCopy(x=made)
    return made


def run_all(programs):
    """Runs each program in a fork of this process, which imports TensorFlow once and starts nothing of it."""
    import tensorflow as tf
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    if os.environ["TF_USE_LEGACY_KERAS"] == "1":
        import tf_keras as keras
        sys.modules["keras"] = keras
        sys.modules.update({"keras." + n: m for n in ("layers", "models", "utils", "datasets") if (m := getattr(keras, n, None))})
    else:
        import keras

    on_cpu = {}  # by id, which another tensor may have later
    from tensorflow.python.framework import constant_op
    converted = constant_op.convert_to_eager_tensor

    def noting(value, ctx, dtype=None):
        made = on_device(converted(value, ctx, dtype))
        if "CPU" in (context.context().device_name or ""):
            on_cpu[id(made)] = weakref.ref(made)
        return made

    constant_op.convert_to_eager_tensor = noting

    def stays_on_host():
        """Bytes of the tensors that a GPU would not hold."""
        return sum(
            x.shape.num_elements() * x.dtype.size
            for x in gc.get_objects()
            if isinstance(x, ops.EagerTensor) and (x.dtype in (tf.int32, tf.string) or id(x) in on_cpu and on_cpu[id(x)]() is x)
            and x.dtype != tf.resource and x.dtype != tf.variant and x.shape.num_elements() > 1000
        )

    def info():
        context.async_wait()
        return tf.config.experimental.get_memory_info("CPU:0")

    phases, open_calls = [], []

    class Watch(keras.callbacks.Callback):
        def during(self, kind, batch):
            call = open_calls[-1]
            of = call if call["call"] == kind else call.setdefault("validation", {"line": call["line"], "call": "validation"})
            if batch == 0 and kind == "predict":
                tf.config.experimental.reset_memory_stats("CPU:0")  # the arrays were copied
            if batch % EVERY:
                return
            of["host"] = stays_on_host()
            now = info()["current"] - of["host"]
            # What an earlier call held may be freed late, by a thread of its pipeline.
            of["during"] = min(now, of["during"]) if batch > EVERY else now

        def on_train_batch_end(self, batch, logs=None):
            self.during("fit", batch)

        def on_test_batch_end(self, batch, logs=None):
            self.during("evaluate", batch)

        def on_predict_batch_end(self, batch, logs=None):
            self.during("predict", batch)

    def watched(name):
        plain = getattr(keras.Model, name)

        def call(self, *args, **kwargs):
            if open_calls:
                return plain(self, *args, **kwargs)
            phase = {"line": sys._getframe(1).f_lineno, "call": name}
            open_calls.append(phase)
            kwargs["callbacks"] = [*(kwargs.get("callbacks") or []), Watch()]
            kwargs["verbose"] = 0
            gc.collect()
            time.sleep(0.3)  # until the threads of an earlier call have let go of its data
            out = plain(self, *args, **kwargs)
            if name == "predict":
                phase["peak"] = info()["peak"] - phase.get("host", 0)
            phases.append(phase)
            if "validation" in phase:
                phases.append(phase.pop("validation"))
            open_calls.pop()
            return out

        setattr(keras.Model, name, call)

    for name in ("fit", "evaluate", "predict"):
        watched(name)

    def run(program, times):
        with open(program) as file:
            text = file.read()
        text, found = re.subn(r"^ROWS = (\d[\d_]*)", lambda m: f"ROWS = {int(m[1]) * times}", text, flags=re.MULTILINE)
        assert found == 1, "the program has no line ROWS = ..."
        # One region, as on a GPU: chunks of a pool that grows are handed out whole.
        tf.zeros([int(POOL_MIB * 0.9) << 18])
        try:
            exec(compile(text, program, "exec"), {"__name__": "__main__", "__file__": program})
            return phases
        except Exception as failure:
            return f"{type(failure).__name__}: {failure}"

    def forked(program, times):
        read, write = os.pipe()
        if os.fork() == 0:
            with os.fdopen(write, "w") as out:
                json.dump(run(program, times), out)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as answer:
            text = answer.read()
        os.wait()
        return json.loads(text or '"the process ended"')

    return {name_of(program): [forked(program, times) for times in (1, 2)] for program in programs}


if __name__ == "__main__":
    main()
