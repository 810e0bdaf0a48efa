"""Records what steps need that programs write themselves: loops/cases/.

    python record_loops.py loops/cases/*.py --out loops.csv
    python record_loops.py --explain loops/cases/dcgan.py

Each program runs as record.py runs one, until it trains for the first time: by fit,
of a model with a train_step or a compute_loss of its own; by a function that
tf.function compiles and that opens a tape; or by a function called train_step, or a
loop, that opens one without being compiled. There one step is recorded: on its own
batch, and, where it is compiled, on one of half its size and of twice its size.

A step that is not compiled is recorded as it runs, from one call of apply_gradients
to the next, so that what the names of Python hold is in memory as it is for people.
"""

import argparse
import gc
import os
import sys

import record

COLUMNS = tuple(c for c in record.COLUMNS if c not in ("training", "kept", "metrics"))


class Recorded(BaseException):
    """Ends a program once its step is recorded."""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="+", help="training scripts")
    parser.add_argument("--out", help="the table, a CSV file")
    parser.add_argument("--explain", action="store_true", help="print what lives at the peaks")
    parser.add_argument("--in-process", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.in_process:
        record.write_json(arguments.in_process, record_program(arguments.programs[0]))
        return 0
    rows = record.read_table(arguments.out) if arguments.out else []
    there = {(row["program"], row["keras"].startswith("tf_keras")) for row in rows}
    for legacy in (False, True):
        for program in arguments.programs:
            name = record.name_of(program)
            if (name, legacy) in there:
                continue
            done, why = record.run_self(program, False, legacy, os.path.abspath(__file__))
            print("failed" if done is None else "recorded", program, why[-2000:], flush=True)
            if arguments.explain:
                print(record.json.dumps(done, indent=1, default=float))
                continue
            if done is None:
                rows.append({
                    "program": name, "keras": "tf_keras" if legacy else "3",
                    "note": why.strip().splitlines()[-1],
                })
            else:
                rows += [{"program": name, "keras": done["keras"]} | step for step in done["steps"]]
            record.write_table(arguments.out, COLUMNS, rows)
    return 0


def record_program(path):
    tf = record.prepared()
    steps = []
    watch_fit(tf, steps)
    watch_functions(tf, steps)
    watch_eager(tf, steps)
    try:
        record.run_program(path)
    except Recorded:
        pass
    if not steps:
        raise SystemExit(f"{path} never trains")
    return {"keras": record.versions()["keras"], "steps": steps}


def watch_fit(tf, steps):
    original = tf.keras.Model.fit
    original_make = tf.keras.Model.make_train_function
    apply_gradients = tf.keras.optimizers.Optimizer.apply_gradients

    def fit(model, *arguments, **keywords):
        if model.run_eagerly:
            tf.keras.optimizers.Optimizer.apply_gradients = apply_gradients  # no loop of the program's own
            model.train_step = watched_step(tf, steps, model, model.train_step)
            return original(model, *arguments, **keywords)

        def take(iterator):
            batch = next(iterator)
            record_graph(tf, steps, model.train_step, (batch,))

        def make_train_function(model, force=False):
            model.train_function = take
            return take

        tf.keras.Model.make_train_function = make_train_function
        try:
            original(model, *arguments, **keywords)
        finally:
            tf.keras.Model.make_train_function = original_make

    tf.keras.Model.fit = fit


def watched_step(tf, steps, model, step):
    """Records the second batch of a step of fit that no function compiles: the first makes the slots.

    Nothing is held between two of them but variables and the batch.
    """
    calls = []

    def train_step(data):
        calls.append(0)
        if len(calls) < 2:
            return step(data)
        gc.collect()
        folder = start_profile(tf)
        step(data)
        tf.profiler.experimental.stop()
        timeline = record.timeline_of(record.memory_events(folder.name), model.optimizer)
        if os.environ.get("EXPLAIN"):
            print(record.json.dumps(timeline, indent=1, default=float), file=sys.stderr)
        batch = [t for t in tf.nest.flatten(data) if tf.is_tensor(t)]
        row = {
            "batch": int(batch[0].shape[0]),
            "parameters": record.parameters_of(model.weights),
            "trainable": record.parameters_of(model.trainable_weights),
            "weights": sum(record.variable_bytes(v) for v in model.weights),
            "optimizer": sum(record.variable_bytes(v) for v in record.optimizer_variables(model.optimizer)),
            "inputs": sum(record.tensor_bytes(t) for t in batch),
        }
        row["pool_peak"] = (
            row["weights"] + row["optimizer"] + row["inputs"] + timeline["peak_without_scratch_bytes"]
        )
        steps.append(row)
        raise Recorded

    return train_step


appliers = []  # functions of the program that apply gradients which a step has summed


def watch_functions(tf, steps):
    """Records the first function of the program that takes gradients, while it is traced."""
    original = tf.function
    program = sys.argv[-1]

    def function(func=None, **keywords):
        if func is None:
            return lambda f: function(f, **keywords)
        compiled = original(func, **keywords)
        if os.path.abspath(func.__code__.co_filename) != os.path.abspath(program):
            return compiled
        if not differentiates(func):
            if "apply_gradients" in func.__code__.co_names and not func.__code__.co_argcount:
                appliers.append(func)
            return compiled

        class Watched:
            def __get__(self, instance, owner=None):
                bound = func.__get__(instance, owner)
                return lambda *arguments: record_graph(tf, steps, bound, arguments)

            def __call__(self, *arguments):
                return record_graph(tf, steps, func, arguments)

        return Watched()

    tf.function = function


def differentiates(func):
    """Tells whether a function takes gradients, or calls one of its module that does.

    The step that a strategy runs opens a tape within it.
    """
    ways = {"GradientTape", "run", "gradients", "minimize"}
    names = set(func.__code__.co_names)
    called = (func.__globals__.get(name) for name in names)
    return bool(ways & names) or any(
        ways & set(f.__code__.co_names) for f in called if hasattr(f, "__code__")
    )


def watch_eager(tf, steps):
    """Records what runs between two calls of apply_gradients that no function compiles.

    What rests then are the weights, the slots, the batch, the gradients that were applied
    last, and what else names of the program hold.
    """
    original = tf.keras.optimizers.Optimizer.apply_gradients
    calls = []

    def apply_gradients(optimizer, grads_and_vars, *arguments, **keywords):
        pairs = list(grads_and_vars)
        result = original(optimizer, pairs, *arguments, **keywords)
        if not tf.executing_eagerly():
            return result
        # Sums of several steps are variables; what was added last, or clipped, is in lists.
        sums = [g for g, _ in pairs if isinstance(g, tf.Variable)]
        gradients = sum(record.tensor_bytes(tf.convert_to_tensor(g)) for g, _ in pairs if g is not None and not isinstance(g, tf.Variable))
        held = held_bytes(tf, [g for g, _ in pairs])
        batch = batch_bytes(tf, [g for g, _ in pairs])
        calls.append(0)
        if len(calls) == 2:  # the first makes the slots
            gc.collect()
            calls.append(start_profile(tf))
        elif len(calls) == 4:
            tf.profiler.experimental.stop()
            timeline = record.timeline_of(record.memory_events(calls[2].name), optimizer)
            if os.environ.get("EXPLAIN"):
                print(record.json.dumps(timeline, indent=1, default=float), file=sys.stderr)
            trained = [v for _, v in pairs]
            weights = trained + sums + untrained(tf)
            slots = record.optimizer_variables(optimizer)
            row = {
                "batch": batch[1],
                "parameters": record.parameters_of(trained + untrained(tf)),
                "trainable": record.parameters_of(trained),
                "weights": sum(record.variable_bytes(v) for v in weights),
                "optimizer": sum(record.variable_bytes(v) for v in slots),
                "inputs": batch[0],
            }
            row["pool_peak"] = (
                row["weights"] + row["optimizer"] + row["inputs"] + gradients + held
                + timeline["peak_without_scratch_bytes"]
            )
            steps.append(row)
            raise Recorded
        return result

    tf.keras.optimizers.Optimizer.apply_gradients = apply_gradients


def untrained(tf):
    """The weights of layers that are not trained: statistics of batches."""
    layers = [o for o in gc.get_objects() if isinstance(o, tf.keras.layers.Layer)]
    found = {id(v): v for layer in layers if layer.built for v in layer.non_trainable_weights}
    return list(found.values())


def start_profile(tf):
    folder = record.tempfile.TemporaryDirectory()
    options = tf.profiler.experimental.ProfilerOptions(python_tracer_level=0)
    tf.profiler.experimental.start(folder.name, options=options)
    return folder


def frames_of_program():
    """The frames of the program that are running, that of its module last."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == sys.argv[0]:
            yield frame
        frame = frame.f_back


def names_of_program():
    """What the names of the program's module stand for."""
    *_, module = frames_of_program()
    return module.f_globals.values()


def held_bytes(tf, gradients):
    """The bytes of the buffers that names of the program hold, but for the gradients and the batch.

    A step that is a function has not returned when it applies its gradients.
    """
    found = {}
    for frame in frames_of_program():
        for value in frame.f_locals.values():
            found |= buffers_of(tf, value)
    counted = buffers_of(tf, gradients)  # with what IndexedSlices consist of
    for t in held_by_module(tf, gradients):
        counted |= buffers_of(tf, t, attributes=False)
    return sum(record.tensor_bytes(t) for address, t in found.items() if address not in counted)


def buffers_of(tf, value, attributes=True):
    """The tensors in a value and in their attributes (_keras_logits), by the addresses of their buffers."""
    found, inside = {}, ()
    if is_data(tf, value):
        if hasattr(value, "_numpy") and value.shape.rank:
            found[value._numpy().ctypes.data] = value  # numpy() would copy
        inside = vars(value).values() if attributes else ()
    elif isinstance(value, dict):
        inside = value.values()
    elif isinstance(value, (list, tuple)):
        inside = value
    for v in inside:
        found |= buffers_of(tf, v)
    return found


def held_by_module(tf, gradients):
    return [
        v for v in names_of_program()
        if tf.is_tensor(v) and v.shape.rank and not any(v is g for g in gradients)
    ]


def batch_bytes(tf, gradients):
    """The bytes and the rows of the tensors that names of the program's module hold."""
    held = held_by_module(tf, gradients)
    return sum(record.tensor_bytes(t) for t in held), int(held[0].shape[0])


def record_graph(tf, steps, function, arguments):
    batch = [a for a in tf.nest.flatten(arguments) if is_data(tf, a)]
    rows = {int(t.shape[0]) for t in batch if t.shape.rank} if batch else {1}
    own = int(batch[0].shape[0]) if batch and batch[0].shape.rank else 1
    sizes = [own] + [n for n in (own // 2, own * 2) if n > 0 and batch and len(rows) == 1]
    trace(tf, function, arguments)  # it makes the variables of the optimizers
    for size in sizes:
        def resize(t):
            if not is_data(tf, t) or not t.shape.rank or size == own:
                return t
            return tf.gather(t, [i % own for i in range(size)])

        given = tf.nest.map_structure(resize, arguments)
        set_batch(function, own, size)
        graph = trace(tf, function, given)
        held = [t for t in tf.nest.flatten(given) if is_data(tf, t)]
        optimizers = [o for o in gc.get_objects() if isinstance(o, tf.keras.optimizers.Optimizer)]
        inline = record.measure_inline(graph, held, optimizers[0])
        # The program's peak is the higher one, of the step or of what follows some of them.
        for apply in appliers:
            after = record.measure_inline(trace(tf, apply, ()), (), optimizers[0])
            inline = max(inline, after, key=lambda i: i["peak_without_scratch_bytes"])
        groups = grouped(tf, graph, optimizers)
        frozen = frozen_handles(tf)
        steps.append({
            "batch": size,
            "parameters": record.parameters_of(groups["weights"]) - gathered(tf, groups["weights"]),
            "trainable": record.parameters_of([
                v for v in groups["weights"] if v.trainable and id(v.handle) not in frozen
            ]),
            "weights": sum(record.variable_bytes(v) for v in groups["weights"]),
            "optimizer": sum(record.variable_bytes(v) for v in groups["optimizer"]),
            "inputs": sum(record.tensor_bytes(t) for t in held),
            "pool_peak": sum(record.variable_bytes(v) for g in groups.values() for v in g)
            + sum(record.tensor_bytes(t) for t in held)
            + inline["peak_without_scratch_bytes"],
        })
        if os.environ.get("EXPLAIN"):
            print(size, record.json.dumps(inline, indent=1, default=float), file=sys.stderr)
    raise Recorded


def gathered(tf, weights):
    """The numbers in variables that gradients are summed in, which are no parameters.

    They are no layer's, are not trained, and have one for one the shapes of those that are.
    """
    known = {id(v) for v in untrained(tf)}
    sums = [v for v in weights if not v.trainable and id(v) not in known]
    trained = [v for v in weights if v.trainable]
    if sorted(tuple(v.shape) for v in sums) != sorted(tuple(v.shape) for v in trained):
        return 0
    return record.parameters_of(sums)


def set_batch(function, own, size):
    """Gives a module's constant for the size of the batch the size that is recorded."""
    names = getattr(function, "__globals__", None) or function.__func__.__globals__
    for name in ("BATCH_SIZE", "BATCH", "batch_size", "batch"):
        if isinstance(names.get(name), int):
            names[name] = size


def is_data(tf, x):
    return tf.is_tensor(x) and not isinstance(x, tf.Variable)


def trace(tf, function, arguments):
    """The graph of the step for these arguments; variables among them stay what they are."""
    leaves = tf.nest.flatten(arguments)
    specs = [tf.TensorSpec(t.shape, t.dtype) for t in leaves if is_data(tf, t)]

    def step(*tensors):
        given = iter(tensors)
        return function(*tf.nest.pack_sequence_as(
            arguments, [next(given) if is_data(tf, x) else x for x in leaves]
        ))

    return original_function(tf)(step, autograph=True, jit_compile=False).get_concrete_function(*specs).graph


def original_function(tf):
    from tensorflow.python.eager import def_function

    return def_function.function


def handles(tf, variables):
    """The TensorFlow variables of some, by their handles."""
    found = {}
    for v in variables:
        inner = getattr(v, "value", v)
        inner = inner if isinstance(inner, tf.Variable) else v
        found[id(inner.handle)] = inner
    return found


def frozen_handles(tf):
    layers = [o for o in gc.get_objects() if isinstance(o, tf.keras.layers.Layer)]
    return handles(tf, [v for layer in layers if layer.built for v in layer.non_trainable_weights])


def grouped(tf, graph, optimizers):
    """The variables that a step reads: weights, the optimizers', and others of no size."""
    owned = handles(tf, (v for o in optimizers for v in record.optimizer_variables(o)))
    small = handles(tf, (
        v for m in gc.get_objects() if isinstance(m, tf.keras.metrics.Metric) for v in m.variables
    ))
    # An optimizer's are there, whether this very function applies the gradients or not.
    groups = {"weights": [], "optimizer": list(owned.values()), "others": []}
    for v in graph.variables:
        key = id(v.handle)
        if key in owned:
            continue
        if key in small or v.dtype.is_integer or not v.shape.rank and not v.trainable:
            # Metrics, seeds, tf_keras's learning rates.
            groups["others"].append(v)
        else:
            groups["weights"].append(v)
    return groups


if __name__ == "__main__":
    sys.exit(main())
