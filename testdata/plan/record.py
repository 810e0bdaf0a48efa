"""Records what real TensorFlow needs for the programs in recorded/, before and after changes of tfmem plan.

    python record.py recorded/*.py --out peaks.csv

recorded/NAME.py is a program, and recorded/NAME.CHANGE.py the same with the edits of one change, which
`go test ./rules/plan -run TestRecorded -update` writes. Each runs in a fork of its own until it
trains, without XLA. Then one step on its own batch is recorded as ../estimate/record.py does, and a
validation that fit has; the step runs several times for that. The peak is the highest of these: what
rests in the pool (weights, optimizer, metrics, the batch), what the step takes on top, and the arrays
that TensorFlow holds on the device.

An array is counted as ../estimate/record_data.py says: integers of 32 bits and what is made under
tf.device("CPU") are not on a GPU. No weights are downloaded: they have the same sizes at random.
Programs that have a row with the same text are skipped.
"""

import argparse
import csv
import gc
import hashlib
import json
import os
import sys
import tempfile
import traceback
import weakref

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "estimate"))

import record  # noqa: E402
import record_loops as loops  # noqa: E402

# text is the start of the SHA-256 of what ran.
COLUMNS = ("program", "change", "phase", "batch", "data", "peak", "text")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--recorder", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.recorder:
        os.environ.update(record.ENVIRONMENT, TF_USE_LEGACY_KERAS="0")
        os.execv(sys.executable, [sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--recorder"])
    import keras  # noqa: F401: once, for all forks
    import tensorflow  # noqa: F401

    rows = record.read_table(arguments.out)
    for program in arguments.programs:
        name, _, change = record.name_of(program).partition(".")
        text = digest(program)
        if any((row["program"], row["change"], row["text"]) == (name, change, text) for row in rows):
            continue
        rows = [row for row in rows if (row["program"], row["change"]) != (name, change)]
        phases = forked(program)
        print(name, change or "as it is", phases, flush=True)
        if phases:
            most = max(phases, key=lambda phase: phase["peak"])
            rows.append({"program": name, "change": change, "text": text} | most)
        rows.sort(key=lambda row: (row["program"], row["change"]))
        with open(arguments.out + ".new", "w", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
        os.replace(arguments.out + ".new", arguments.out)


def digest(program):
    with open(program, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


def forked(program):
    """Runs a program in a fork of this process, which has started nothing of TensorFlow, for its phases."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with tempfile.TemporaryDirectory() as folder:
            tempfile.tempdir = folder  # AutoGraph writes files there
            try:
                phases = run(os.path.abspath(program))
            except BaseException:
                traceback.print_exc()
                phases = []
        with os.fdopen(write, "w") as out:
            json.dump(phases, out)
        sys.stderr.flush()
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text or "[]")


class Recorded(BaseException):
    """Ends a program once its training is recorded."""


def run(path):
    sys.argv = [path]
    held = watch_arrays()
    tf = record.prepared()
    without_downloads(tf)
    phases = []

    def note(phase, batch, peak):
        """Notes what a phase needs beside arrays, and returns what those are."""
        data = held(batch)
        phases.append({"phase": phase, "batch": record.rows_in(batch), "data": data, "peak": peak + data})
        return data

    watch_fit(tf, note)
    watch_steps(tf, note)
    try:
        record.run_program(path)
    except Recorded:
        pass
    return phases


def watch_arrays():
    """Returns a function that tells how many bytes of arrays a GPU would hold beside a batch."""
    import tensorflow as tf
    from tensorflow.python.eager import context
    from tensorflow.python.framework import constant_op

    arrays, make = [], constant_op.convert_to_eager_tensor

    def noting(value, ctx, dtype=None):
        made = make(value, ctx, dtype)
        if "CPU" not in (context.context().device_name or "") and made.dtype not in (tf.int32, tf.string) and made.shape.rank:
            arrays.append(weakref.ref(made))
        return made

    constant_op.convert_to_eager_tensor = noting

    def held(batch):
        parts = {id(t) for t in tf.nest.flatten(batch)}
        return sum(
            record.tensor_bytes(array) for ref in arrays
            if (array := ref()) is not None and id(array) not in parts and array.shape.num_elements() > 1000
        )

    return held


def without_downloads(tf):
    """Makes the models of keras.applications with weights at random, and leaves others as they are."""
    tf.keras.Model.load_weights = lambda *args, **kwargs: None
    for name, make in list(vars(tf.keras.applications).items()):
        if callable(make):
            setattr(tf.keras.applications, name, lambda *args, make=make, **kwargs: make(*args, **kwargs | {"weights": None}))


def watch_fit(tf, note):
    """Records the first batch of fit, and of its validation."""
    model_class = tf.keras.Model
    originals = {name: getattr(model_class, name) for name in ("fit", "evaluate")}

    def first_batch(model, method, kind, arguments, keywords, with_batch):
        maker = f"make_{kind}_function"
        make = getattr(model_class, maker)

        def take(iterator):
            with_batch(next(iterator))  # while fit holds its arrays
            raise record.BatchTaken

        def taking(model, force=False):
            setattr(model, f"{kind}_function", take)
            return take

        setattr(model_class, maker, taking)
        try:
            originals[method](model, *arguments, **keywords)
        except record.BatchTaken:
            pass
        finally:
            setattr(model_class, maker, make)
        setattr(model, f"{kind}_function", None)

    def fit(model, *arguments, validation_data=None, validation_batch_size=None, **keywords):
        training = 0

        def train(batch):
            nonlocal training
            gc.collect()
            record.traced(model, batch)  # it makes the variables of the optimizer and the metrics
            applies_in_measured_step(model.optimizer)
            peak = record.measure_inline(record.traced(model, batch), batch, model.optimizer)["peak_without_scratch_bytes"]
            training = note("fit", batch, peak + sum(record.resident_bytes(model, batch).values()))

        def validate(batch):
            specs = tf.nest.map_structure(lambda t: tf.TensorSpec(t.shape, t.dtype), batch)
            graph = tf.function(lambda data: model.test_step(data), autograph=False, jit_compile=False).get_concrete_function(specs).graph
            peak = record.measure_inline(graph, batch, model.optimizer)["peak_without_scratch_bytes"]
            # The arrays of the training are there until fit returns.
            note("validate", batch, peak + sum(record.resident_bytes(model, batch).values()) + training)

        model.jit_compile = False
        first_batch(model, "fit", "train", arguments, keywords, train)
        if validation_data is not None:
            gc.collect()
            size = validation_batch_size or keywords.get("batch_size")
            first_batch(model, "evaluate", "test", validation_data, {"batch_size": size}, validate)
        raise Recorded

    model_class.fit = fit


def applies_in_measured_step(optimizer):
    """Runs so many steps before the measured one that it applies what the steps before it have summed."""
    steps = getattr(getattr(optimizer, "inner_optimizer", optimizer), "gradient_accumulation_steps", None) or 1
    record.WARM_UP_STEPS = -(-4 // steps) * steps - 1


def watch_steps(tf, note):
    """Records the first function of the program that tf.function compiles and that takes gradients."""

    def record_graph(tf, _, function, arguments):
        loops.trace(tf, function, arguments)  # it makes the variables of the optimizers
        gc.collect()
        graph = loops.trace(tf, function, arguments)
        batch = [t for t in tf.nest.flatten(arguments) if loops.is_data(tf, t)]
        optimizers = [o for o in gc.get_objects() if isinstance(o, tf.keras.optimizers.Optimizer)]
        groups = loops.grouped(tf, graph, optimizers)
        peak = record.measure_inline(graph, batch, optimizers[0])["peak_without_scratch_bytes"]
        peak += sum(record.variable_bytes(v) for group in groups.values() for v in group)
        note("step", batch, peak + sum(record.tensor_bytes(t) for t in batch))
        raise Recorded

    loops.record_graph = record_graph
    loops.watch_functions(tf, [])


if __name__ == "__main__":
    main()
