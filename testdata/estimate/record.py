"""Records what real TensorFlow needs to train the models in cases/.

    python record.py cases/*.py styles/cases/*.py --out peaks.csv --kept kept.csv
    python record.py --applications --out applications.csv
    python record.py --compiled-updates cases/mlp_wide.py --out updates.csv
    python record.py --explain cases/unet.py

It needs TensorFlow (the CPU build is enough), tf-keras, and nothing of tfmem.

Each program runs in a process of its own, as the script it is, until it calls
`Model.fit`. There the recorder takes the batch that fit would have trained on
first, and writes down what one step on it needs: on that batch, on one of half
its size and on one of twice its size. Programs run under Keras 3, and again
under tf-keras where they can. Rows are written after each program, and programs
that have rows already are passed over: delete those that are to be recorded anew.
A program that fails has a row with a note that says why. README.md says what the
figures mean and how far they are to be trusted.
"""

import argparse
import ast
import collections
import concurrent.futures
import contextlib
import csv
import gc
import glob
import importlib.metadata
import importlib.util
import json
import os
import re
import runpy
import subprocess
import sys
import tempfile

POOL_MIB = 16384
ENVIRONMENT = {
    # The same best-fit allocator as on a GPU, instead of malloc.
    "TF_CPU_ALLOCATOR_USE_BFC": "1",
    "TF_CPU_BFC_MEM_LIMIT_IN_MB": str(POOL_MIB),
    # oneDNN takes scratch and weights in its own layouts, which no GPU does.
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "-1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}
THREADS = {"inter_op_parallelism": 1, "intra_op_parallelism": 1}
ALIGNMENT = 256  # the allocator's rounding
# They make the kernels, and variables buffers of their own, also where every second step applies
# what the steps before it have summed. The step after them does.
WARM_UP_STEPS = 3
LARGEST = 40  # tensors listed
# Tells the process of a program that XLA is to compile the updates.
COMPILED_UPDATES = "COMPILED_UPDATES"
APPLICATION_BATCHES = (1, 2, 4)

# All sizes are bytes, but batch, parameters and trainable, which are numbers. note
# says why a program is not recorded.
COLUMNS = (
    "program", "keras", "training", "batch", "parameters", "trainable", "weights", "optimizer",
    "metrics", "inputs", "kept", "pool_peak", "note",
)
KEPT_COLUMNS = ("program", "layer", "kept")

# Operations whose output is their input's buffer.
VIEWS = {
    "Identity", "IdentityN", "Reshape", "Squeeze", "ExpandDims", "StopGradient",
    "PreventGradient", "EnsureShape", "Snapshot",
}
# Operations that look at a tensor's shape alone, once it exists, and keep nothing.
SHAPE_ONLY = {"Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike", "BroadcastGradientArgs"}

# Kernels that take workspace, by the ends of their operations' names.
SCRATCH = re.compile(
    r"(Conv[23]D|[Dd]epthwise|FusedBatchNorm|MaxPool|MatMul|convolution|conv([23]d)?_transpose)\w*$"
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", help="training scripts, or keras.applications")
    parser.add_argument("--out", help="the table of peaks, a CSV file")
    parser.add_argument("--kept", help="the table of what layers keep, a CSV file")
    parser.add_argument("--applications", action="store_true", help="record keras.applications")
    parser.add_argument(
        "--compiled-updates", action="store_true",
        help="tf_keras alone, whose optimizer has XLA compile its updates, as if there were a GPU",
    )
    parser.add_argument("--explain", action="store_true", help="print what lives at the peaks")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--in-process", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.compiled_updates:
        os.environ[COMPILED_UPDATES] = "1"

    if arguments.in_process:
        program = arguments.programs[0]
        record = record_application(program) if arguments.applications else record_case(program)
        write_json(arguments.in_process, record)
        return 0
    if arguments.explain:
        for program in arguments.programs:
            for legacy in (False, True):
                record, why = run_self(program, arguments.applications, legacy)
                print(json.dumps(record, indent=1, default=float) if record else why)
        return 0
    if not importlib.util.find_spec("tf_keras"):
        sys.exit("tf_keras is not installed: every program is recorded under Keras 3 and under tf_keras")
    programs = arguments.programs
    if arguments.applications:
        programs = programs or smallest_first(application_names())
    peaks = read_table(arguments.out)
    kept = read_table(arguments.kept) if arguments.kept else []
    there = {(row["program"], row["keras"].startswith("tf_keras")) for row in peaks}
    waiting = [
        (program, legacy) for legacy in ((True,) if arguments.compiled_updates else (False, True))
        for program in programs
        if (name_of(program), legacy) not in there
    ]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = {
            pool.submit(run_self, program, arguments.applications, legacy): (program, legacy)
            for program, legacy in waiting
        }
        for run in concurrent.futures.as_completed(runs):
            program, legacy = runs[run]
            record, why = run.result()
            print("failed" if record is None else "recorded", program, why[-3000:], flush=True)
            if record is None:
                peaks.append({
                    "program": name_of(program), "keras": "tf_keras" if legacy else "3",
                    "note": re.sub(r" \(/[^)]*\)", "", why.strip().splitlines()[-1]),
                })
            else:
                peaks += rows_of(record)
            write_table(arguments.out, COLUMNS, peaks)
            if arguments.kept and record and not legacy:
                for layer in record["trainings"][0]["layers"]:
                    if layer["kept_bytes"]:
                        kept.append({
                            "program": record["case"], "layer": layer["name"],
                            "kept": layer["kept_bytes"],
                        })
                write_table(arguments.kept, KEPT_COLUMNS, kept)
    return 0


def name_of(program):
    return os.path.splitext(os.path.basename(program))[0]


def run_self(program, application, legacy, script=__file__):
    """Runs this file again in a fresh process: its record, or None and why not."""
    environment = dict(os.environ, **ENVIRONMENT)
    environment["TF_USE_LEGACY_KERAS"] = "1" if legacy else "0"
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "record.json")
        command = [sys.executable, os.path.abspath(script), "--in-process", out, program]
        done = subprocess.run(
            command + (["--applications"] if application else []), env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
        )
        if done.returncode:
            return None, f"exit status {done.returncode}: {done.stderr}"
        with open(out, encoding="utf-8") as file:
            return json.load(file), ""


def rows_of(record):
    """The rows of the table of peaks: one a training and batch."""
    for number, training in enumerate(record["trainings"]):
        for step in training["steps"]:
            yield {
                "program": record["case"],
                "keras": record["versions"]["keras"],
                "training": number,
                "batch": step["batch_size"],
                "parameters": training["parameters"],
                "trainable": training["trainable_parameters"],
                "weights": step["resident"]["weights_bytes"],
                "optimizer": step["resident"]["optimizer_bytes"],
                "metrics": step["resident"]["metrics_bytes"],
                "inputs": step["resident"]["batch_bytes"],
                "kept": step["kept"]["bytes"],
                "pool_peak": step["pool_peak_bytes"],
            }


def read_table(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(path, columns, rows):
    """Writes the rows by program, Keras, training and batch."""
    def order(row):
        return [row["program"]] + [
            int(row.get(c) or 0) if c in ("training", "batch") else row[c]
            for c in ("keras", "training", "batch") if c in row
        ]

    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=order))
    os.replace(path + ".new", path)


def write_json(path, value):
    # NumPy's numbers, which tf-keras leaves in an optimizer's configuration, become floats.
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1, sort_keys=True, default=float)
        file.write("\n")


def versions():
    import tensorflow as tf

    legacy = os.environ["TF_USE_LEGACY_KERAS"] == "1"
    keras = importlib.metadata.version("tf_keras" if legacy else "keras")
    return {"keras": "tf_keras " + keras if legacy else keras, "tensorflow": tf.__version__}


# One case


class BatchTaken(Exception):
    """Ends fit as soon as it has its first batch."""


def record_case(path):
    tf = prepared()
    trainings = []
    original_fit = tf.keras.Model.fit
    original_make = tf.keras.Model.make_train_function

    def fit(model, *arguments, **keywords):
        batch = first_batch(model, arguments, keywords)
        trainings.append(record_training(model, batch))
        history = tf.keras.callbacks.History()
        history.history = {"loss": []}
        return history

    def first_batch(model, arguments, keywords):
        taken = []

        def take(iterator):
            taken.append(next(iterator))
            raise BatchTaken

        def make_train_function(model, force=False):
            model.train_function = take
            return take

        tf.keras.Model.make_train_function = make_train_function
        try:
            original_fit(model, *arguments, **keywords)
        except BatchTaken:
            pass
        finally:
            tf.keras.Model.make_train_function = original_make
        model.train_function = None
        return taken[0]

    tf.keras.Model.fit = fit
    run_program(path)
    if not trainings:
        raise SystemExit(f"{path} never called fit")
    return {"case": name_of(path), "trainings": trainings, "versions": versions()}


def run_program(path):
    """Runs a program as the script it is, given no arguments: it may read them."""
    sys.argv = [path]
    runpy.run_path(path, run_name="__main__")


def prepared():
    """TensorFlow, told what to run with; `import keras` is tf_keras where that is asked for."""
    import tensorflow as tf

    tf.config.threading.set_inter_op_parallelism_threads(THREADS["inter_op_parallelism"])
    tf.config.threading.set_intra_op_parallelism_threads(THREADS["intra_op_parallelism"])
    take_pool_as_one_region(tf)
    if os.environ["TF_USE_LEGACY_KERAS"] == "1":
        import tf_keras

        sys.modules["keras"] = tf_keras
    return tf


def take_pool_as_one_region(tf):
    """Makes the pool one region, as on a GPU without memory growth.

    The CPU's allocator grows by doubling, and a chunk at the end of a small
    region is handed out whole, which would count as use. Nothing is written to
    the memory, so none is really taken from the machine.
    """
    whole = tf.raw_ops.Empty(shape=[POOL_MIB - 256, 1 << 20], dtype=tf.uint8, init=False)
    del whole


def record_training(model, batch):
    own = rows_in(batch)
    sizes = [own] + [n for n in (own // 2, own * 2) if n > 0]
    return steps_of(model, [resized(batch, n) for n in sizes])


def steps_of(model, batches):
    """What one step on each of the batches that fit the pool needs, and what is the same for all."""
    import tensorflow as tf

    model.jit_compile = False
    if COMPILED_UPDATES in os.environ:
        # tf_keras turns it off where it finds no GPU.
        getattr(model.optimizer, "inner_optimizer", model.optimizer).jit_compile = True
    traced(model, batches[0])  # it makes the variables of the optimizer and the metrics
    steps = []
    for batch in batches:
        gc.collect()
        try:
            steps.append(record_step(model, batch))
        except tf.errors.ResourceExhaustedError:
            if not steps:
                raise  # not even the first fits the pool
    layers = steps[0].pop("layers")
    for step in steps[1:]:
        del step["layers"]
    return {
        "layers": layers,
        "model": type(model).__name__,
        "optimizer": describe_optimizer(model),
        "parameters": model.count_params(),
        "steps": steps,
        "trainable_parameters": parameters_of(model.trainable_weights),
    }


def rows_in(batch):
    import tensorflow as tf

    return int(tf.nest.flatten(batch)[0].shape[0])


def resized(batch, rows):
    """The batch with as many rows, some of them again where it has fewer."""
    import tensorflow as tf

    def resize(tensor):
        return tf.gather(tensor, [i % tensor.shape[0] for i in range(rows)])

    return batch if rows == rows_in(batch) else tf.nest.map_structure(resize, batch)


def record_step(model, batch):
    graph, kept, layers = trace_step(model, batch)
    inline = measure_inline(graph, batch, model.optimizer)
    resident = resident_bytes(model, batch)
    resident["weights_bytes"] += foreign_bytes(model, graph)
    return {
        "batch_size": rows_in(batch),
        "kept": kept,
        "layers": layers,
        # What the whole step needs of a pool: what rests there and what comes on top.
        "pool_peak_bytes": sum(resident.values()) + inline["peak_without_scratch_bytes"],
        "resident": resident,
        "step": inline,
    }


def resident_bytes(model, batch):
    import tensorflow as tf

    return {
        "batch_bytes": sum(tensor_bytes(t) for t in tf.nest.flatten(batch)),
        "metrics_bytes": sum(variable_bytes(v) for m in model.metrics for v in m.variables),
        "optimizer_bytes": sum(variable_bytes(v) for v in optimizer_variables(model.optimizer)),
        "weights_bytes": sum(variable_bytes(v) for v in model.weights),
    }


def foreign_bytes(model, graph):
    """The bytes of variables that the step reads and nothing of the model has: a network in a loss."""
    import tensorflow as tf

    def handle(variable):
        return getattr(getattr(variable, "_value", variable), "handle", None)

    own = [v for m in model.metrics for v in m.variables] + list(optimizer_variables(model.optimizer))
    known = {id(handle(v)) for v in list(model.variables) + own}
    found = 0
    for outer, inner in graph.captures:
        if inner.dtype == tf.resource and id(outer) not in known:
            for data in outer._handle_data.shape_and_type:
                found += product(d.size for d in data.shape.dim) * tf.as_dtype(data.dtype).size
    return found


def parameters_of(variables):
    return sum(product(v.shape) for v in variables)


def product(shape):
    result = 1
    for dimension in shape:
        result *= dimension
    return result


def tensor_bytes(tensor):
    return product(tensor.shape) * tensor.dtype.size


def variable_bytes(variable):
    import tensorflow as tf

    return product(variable.shape) * tf.as_dtype(variable.dtype).size


def optimizer_variables(optimizer):
    variables = optimizer.variables
    return variables() if callable(variables) else variables


def describe_optimizer(model):
    optimizer = model.optimizer
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    weights = {tuple(v.shape) for v in model.trainable_weights}
    variables = optimizer_variables(optimizer)
    slots = [v for v in variables if tuple(v.shape) in weights and len(v.shape)]
    return {
        "class": type(optimizer).__name__,
        "config": inner.get_config(),
        "inner_class": type(inner).__name__,
        # tf-keras compiles each update with XLA, whatever the model's jit_compile says.
        "jit_compile": bool(getattr(inner, "jit_compile", False)),
        "slots": len(slots),
        "slots_bytes": sum(variable_bytes(v) for v in slots),
        "variables": len(variables),
        "variables_bytes": sum(variable_bytes(v) for v in variables),
    }


# One step


Allocation = collections.namedtuple("Allocation", "op region dtype shape bytes")


def measure_inline(graph, batch, optimizer):
    """The timeline of the traced step with its operations in the order a GPU runs them.

    TensorFlow's executor takes kernels on a CPU for expensive and defers all but
    one of those that become ready together, so that gradients of filters wait
    for the end of the step while what they need stays alive. Kernels on a GPU
    run in the executor's own thread, first ready, first run. A v1 session
    without threads of its own does just that, on a CPU as well; so the graph of
    the step is run in one, on variables of the same shapes.
    """
    import tensorflow as tf

    v1 = tf.compat.v1
    captured = {inner.name: outer for outer, inner in graph.captures}
    values = iter(tf.nest.flatten(batch))
    # What the variables hold decides on branches: whether all gradients are finite.
    held = [value_of(captured[t.name] if t.name in captured else next(values)) for t in graph.inputs]
    config = v1.ConfigProto(
        inter_op_parallelism_threads=-1,
        intra_op_parallelism_threads=THREADS["intra_op_parallelism"],
    )
    with tf.Graph().as_default() as copy, v1.Session(config=config) as session:
        # The batch lies in variables, too: it rests in the pool, as inputs do.
        variables = [
            v1.get_variable(
                f"resident_{i}", shape=value.shape, dtype=value.dtype, use_resource=True,
                initializer=v1.zeros_initializer(),
            )
            for i, value in enumerate(held)
        ]
        replacements = {
            inner.name: variable.handle if inner.dtype == tf.resource else variable.read_value()
            for inner, variable in zip(graph.inputs, variables)
        }
        ends = [t.op.name for t in graph.outputs] + [op.name for op in graph.control_outputs]
        # By what the import says they are: an Identity of the step is not called that any more
        # where reading the batch made one before.
        fetches = tf.import_graph_def(
            graph.as_graph_def(), input_map=replacements, name="",
            return_elements=[name for name in ends if name not in captured],
        )
        # All of them in one run: for each run of its own the whole graph is pruned anew.
        session.run(
            [variable.initializer for variable in variables],
            {v.initializer.inputs[1]: value for v, value in zip(variables, held)},
        )
        options, ran = v1.RunOptions(output_partition_graphs=True), v1.RunMetadata()
        for _ in range(WARM_UP_STEPS):
            session.run(fetches, options=options, run_metadata=ran)
        step = measure_timeline(lambda: session.run(fetches), optimizer)
        weights = {
            tuple(value.shape)
            for inner, value in zip(graph.inputs, held)
            if inner.dtype == tf.resource and value.shape
        }
        step["constants_bytes"] = constants(ran.partition_graphs, weights)
        step["peak_without_scratch_bytes"] += step["constants_bytes"]
        return step


def constants(graphs, weights):
    """The bytes of the constants that are as old as the graph, and so missed by the timeline.

    These are those with the shape of a weight, which the graph optimizer makes of the factor of a
    regularizer, and those that variables are assigned: zeros that end a sum of gradients. A
    variable that takes one gives its own buffer back, which the timeline counts as released, but
    nothing is allocated instead. Constants of other shapes do not count: they depend on the batch,
    which only the recorder knows before the step runs.
    """
    import tensorflow as tf

    found = 0
    for graph in graphs:
        nodes = {node.name: node for node in graph.node}
        counted = set()
        for node in graph.node:
            if node.op == "Const" and shape_of(node) in weights:
                counted.add(node.name)
            if node.op != "AssignVariableOp":
                continue
            while node.op in ("AssignVariableOp", "Identity", "Switch"):
                at = 1 if node.op == "AssignVariableOp" else 0
                node = nodes[node.input[at].split(":")[0]]
            if node.op == "Const":
                counted.add(node.name)
        for name in counted:
            tensor = nodes[name].attr["value"].tensor
            size = product(d.size for d in tensor.tensor_shape.dim) * tf.as_dtype(tensor.dtype).size
            found += -(-size // ALIGNMENT) * ALIGNMENT
    return found


def shape_of(constant):
    return tuple(d.size for d in constant.attr["value"].tensor.tensor_shape.dim)


def value_of(tensor):
    """The value of a tensor, or of the variable that it is the handle of."""
    import tensorflow as tf

    if tensor.dtype == tf.resource:
        (handle,) = tensor._handle_data.shape_and_type
        tensor = tf.raw_ops.ReadVariableOp(resource=tensor, dtype=handle.dtype)
    return tensor.numpy()


def measure_timeline(run, optimizer):
    """Follows every allocation and release of one step, as the profiler saw them.

    Each tensor counts with the bytes it asked for, rounded up to the
    allocator's 256, so the peak holds no slack of chunks. Figures are above the
    state at rest: what was allocated in the step less what was released.
    """
    import tensorflow as tf

    options = tf.profiler.experimental.ProfilerOptions(python_tracer_level=0)
    with tempfile.TemporaryDirectory() as folder:
        tf.profiler.experimental.start(folder, options=options)
        run()
        tf.profiler.experimental.stop()
        return timeline_of(memory_events(folder), optimizer)


def timeline_of(events, optimizer):
    """What was in use at the peak, of the events of one step."""
    workspace = workspaces(events)
    live, at_peak = {}, {}
    now = peak = replaced = replaced_at_peak = 0
    for i, (is_allocation, address, allocation) in enumerate(events):
        if i in workspace:
            continue
        if not is_allocation:
            if address not in live:
                # Older than the step: a variable's buffer, for which there is a newer one.
                replaced += allocation.bytes
            now -= live.pop(address, allocation).bytes
            continue
        live[address] = allocation
        now += allocation.bytes
        if now > peak:
            peak, at_peak, replaced_at_peak = now, dict(live), replaced

    live = list(at_peak.values())
    return {
        "at_peak": largest(live),
        "at_peak_bytes": by_phase(live, optimizer) | {"replaced": -replaced_at_peak},
        "peak_without_scratch_bytes": peak,
    }


def workspaces(events):
    """The indices of the events that are workspace of the CPU's own kernels.

    What XLA compiles allocates without the name of an operation, and gives its
    workspace back before any operation does anything. On a CPU that holds the
    filters of grouped convolutions, spread out to dense ones
    (xla/hlo/transforms/expanders/convolution_group_converter.cc); cuDNN needs none.
    """
    found, born, unnamed = set(), {}, set()
    for i, (is_allocation, address, _) in enumerate(events):
        if is_allocation:
            start = born[address] = i
        else:
            start = born.pop(address, i)
        allocation = events[start][2]
        if allocation.op:
            unnamed.clear()
        elif is_allocation:
            unnamed.add(i)
        if is_scratch(allocation) or not is_allocation and start in unnamed:
            found |= {start, i}
    return found


def largest(allocations):
    """The largest, those of one operation in a loop together."""
    rows = [
        dict(allocation._asdict(), bytes=allocation.bytes * count, repeats=count)
        for allocation, count in collections.Counter(allocations).items()
    ]
    rows.sort(key=lambda row: (-row["bytes"], row["op"], row["shape"]))
    return rows[:LARGEST]


def memory_events(folder):
    """Allocations and releases in a profile, in order of time."""
    import tensorflow as tf
    from tensorflow.tsl.profiler.protobuf import xplane_pb2

    space = xplane_pb2.XSpace()
    (path,) = glob.glob(os.path.join(folder, "**", "*.xplane.pb"), recursive=True)
    with open(path, "rb") as file:
        space.ParseFromString(file.read())
    events = []
    for plane in space.planes:
        for line in plane.lines:
            for event in line.events:
                name = plane.event_metadata[event.metadata_id].name
                if name not in ("MemoryAllocation", "MemoryDeallocation"):
                    continue
                stats = {}
                for stat in event.stats:
                    value = getattr(stat, stat.WhichOneof("value"))
                    if stat.WhichOneof("value") == "ref_value":
                        value = plane.stat_metadata[value].name
                    stats[plane.stat_metadata[stat.metadata_id].name] = value
                allocation = Allocation(
                    op=stats.get("tf_op", "").removeprefix("StatefulPartitionedCall/"),
                    region=stats.get("region_type", ""),
                    dtype=tf.as_dtype(stats["data_type"]).name if stats.get("data_type") else "",
                    shape=stats.get("shape", ""),
                    bytes=-(-stats["requested_bytes"] // ALIGNMENT) * ALIGNMENT,
                )
                time = line.timestamp_ns * 1000 + event.offset_ps
                events.append((time, name == "MemoryAllocation", stats["addr"], allocation))
    events.sort(key=lambda event: event[0])
    return [event[1:] for event in events]


def is_scratch(allocation):
    """Workspace of the CPU's own kernels, which other devices' kernels do without.

    Convolutions unfold their input (im2col), the gradient of a max pool finds
    the maxima again, float16 is computed in float32. A temporary of any other
    operation becomes its result, or a variable's new value.
    """
    return allocation.region == "temp" and SCRATCH.search(allocation.op) is not None


def by_phase(allocations, optimizer):
    """Where the bytes come from, by the names TensorFlow gives its operations."""
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    name = getattr(inner, "name", None) or inner._name  # Keras 2 before 2.11 has only that
    updates = (name + "/", getattr(optimizer, "name", type(optimizer).__name__) + "/")
    phases = {"backward": 0, "forward": 0, "update": 0}
    for a in allocations:
        if a.op.startswith(updates):
            phases["update"] += a.bytes
        else:
            phases["backward" if "gradient_tape/" in a.op else "forward"] += a.bytes
    return phases


# What backward keeps


def trace_step(model, batch):
    """Traces train_step for this very batch: its graph, what backward keeps, the layers.

    A tensor is kept when an operation made by `GradientTape.gradient` reads it
    and it was made before, in the forward pass. Counted once each, however many
    read it; a view (reshape, identity) counts as the tensor it views. Not
    counted: variables and what reads them (no copy), constants, operations that
    only look at a shape, and anything in parts of the graph no result needs.
    The batch itself, where backward reads it, is counted apart.
    """
    import tensorflow as tf

    spans, shapes, marks = [], {}, []
    with watched(spans, shapes, marks):
        graph = traced(model, batch)

    operations = graph.get_operations()
    position = {op: i for i, op in enumerate(operations)}
    start, end = marks[0]
    needed = ancestors(graph.outputs, graph.control_outputs)
    kept = {}
    for op in operations[start:end]:
        if op not in needed or op.type in SHAPE_ONLY:
            continue
        for tensor in op.inputs:
            if position[tensor.op] < start:
                for buffer in buffers_of(tensor):
                    kept[buffer.tensor.ref(), buffer.callers] = buffer

    owner = owners(spans, len(operations))
    found, batch_bytes = [], 0
    for buffer in kept.values():
        tensor, op = buffer.tensor, buffer.tensor.op
        if op.type == "Placeholder":
            if not any(tensor is inner for _, inner in graph.captures):
                batch_bytes += tensor_bytes(tensor)
            continue
        # A shape of unknown rank is cuDNN's reserve, which is empty on a CPU. Others that are
        # not known are of what the data decide.
        if op.type in ("ReadVariableOp", "Const") or not tensor.shape.is_fully_defined():
            continue
        found.append({
            "bytes": tensor_bytes(tensor) * buffer.repeats,
            "dtype": tensor.dtype.name,
            "layer": owner[position[buffer.outermost()]],
            "op": "/".join(o.name for o in buffer.callers + (op,)),
            "repeats": buffer.repeats,
            "shape": list(tensor.shape),
            "type": op.type,
        })
    found.sort(key=lambda t: (-t["bytes"], t["op"]))
    by_layer = collections.Counter()
    for tensor in found:
        by_layer[tensor["layer"]] += tensor["bytes"]
    total = {
        "batch_bytes": batch_bytes,
        "bytes": sum(t["bytes"] for t in found),
        "largest": found[:LARGEST],
        "outside_layers_bytes": by_layer[None],
        "tensors": len(found),
    }
    return graph, total, layer_table(model, shapes, by_layer)


def traced(model, batch):
    """The graph of train_step for this very batch."""
    import tensorflow as tf

    specs = tf.nest.map_structure(lambda t: tf.TensorSpec(t.shape, t.dtype), batch)
    step = tf.function(model.train_step, autograph=False, jit_compile=False)
    return step.get_concrete_function(specs).graph


@contextlib.contextmanager
def watched(spans, shapes, marks):
    """While tracing: which operations each layer and each gradient made."""
    import tensorflow as tf

    layer_class, tape_class = tf.keras.layers.Layer, tf.GradientTape
    original_call, original_gradient = layer_class.__call__, tape_class.gradient

    def made():
        return len(tf.compat.v1.get_default_graph().get_operations())

    def call(layer, *arguments, **keywords):
        outer, start = tf.compat.v1.get_default_graph(), made()
        result = original_call(layer, *arguments, **keywords)
        spans.append((outer, start, made(), layer.name))
        shapes.setdefault(id(layer), [
            list(t.shape) for t in tf.nest.flatten(result) if hasattr(t, "shape")
        ])
        return result

    def gradient(tape, *arguments, **keywords):
        start = made()
        result = original_gradient(tape, *arguments, **keywords)
        marks.append((start, made()))
        return result

    layer_class.__call__, tape_class.gradient = call, gradient
    try:
        yield
    finally:
        layer_class.__call__, tape_class.gradient = original_call, original_gradient


def owners(spans, count):
    """For each operation the innermost layer that made it, or None."""
    owner = [None] * count
    outermost = spans[-1][0] if spans else None
    # The widest first, so that the innermost has the last word.
    for graph, start, end, name in sorted(spans, key=lambda s: s[1] - s[2]):
        if graph is outermost:
            owner[start:end] = [name] * (end - start)
    return owner


def ancestors(tensors, operations):
    seen, waiting = set(), [t.op for t in tensors] + list(operations)
    while waiting:
        op = waiting.pop()
        if op not in seen:
            seen.add(op)
            waiting += [t.op for t in op.inputs] + list(op.control_inputs)
    return seen


class Buffer(collections.namedtuple("Buffer", "tensor callers repeats")):
    """A tensor that is memory of its own, not a view of another.

    callers are the calls and loops it lies within, from the outside in; repeats
    is how many of it there are: a loop's list keeps one from each turn.
    """

    def outermost(self):
        return self.callers[0] if self.callers else self.tensor.op


def buffers_of(tensor, callers=(), repeats=1):
    """The buffers behind a tensor: one, or for a list of tensors what it holds."""
    op = tensor.op
    if op.type in VIEWS or op.type in ("TensorListFromTensor", "TensorListGetItem"):
        return buffers_of(viewed(tensor), callers, repeats)
    if op.type in ("PartitionedCall", "StatefulPartitionedCall"):
        called = function_of(op, "f")
        return buffers_of(called.outputs[tensor.value_index], callers + (op,), repeats)
    if op.type == "Placeholder" and callers:
        return buffers_of_argument(tensor, callers, repeats)
    if op.type in ("TensorListPushBack", "TensorListSetItem"):
        return buffers_of(op.inputs[-1], callers, repeats)
    if op.type in ("While", "StatelessWhile"):
        body = function_of(op, "body")
        return buffers_of(
            body.outputs[tensor.value_index], callers + (op,),
            repeats * turns(op) if tensor.dtype.name == "variant" else repeats,
        )
    if op.type in ("TensorListReserve", "EmptyTensorList"):
        return []
    return [Buffer(tensor, callers, repeats)]


def viewed(tensor):
    return tensor.op.inputs[tensor.value_index if tensor.op.type == "IdentityN" else 0]


def buffers_of_argument(tensor, callers, repeats):
    """Follows a function's parameter out to the caller, or a loop's to the turn before."""
    op = callers[-1]
    if op.type in ("While", "StatelessWhile"):
        body = function_of(op, "body")
        index = [t is tensor for t in body.inputs].index(True)
        result = body.outputs[index]
        while result.op.type in VIEWS:
            result = viewed(result)
        if result is not tensor and tensor.dtype.name != "variant":
            return buffers_of(result, callers, repeats)
        repeats = 1
    else:
        index = [t is tensor for t in function_of(op, "f").inputs].index(True)
    return buffers_of(op.inputs[index], callers[:-1], repeats)


def function_of(op, attribute):
    return op.graph._get_function(op.get_attr(attribute).name).graph


def turns(loop):
    """How often a recurrent layer's loop runs: its input is a list, an entry a turn."""
    return max(t.op.inputs[0].shape[0] for t in loop.inputs if t.op.type == "TensorListFromTensor")


def layer_table(model, shapes, kept):
    rows = []

    def add(layer, within):
        # An input layer is never called.
        traced = shapes.get(id(layer)) or [list(layer.output.shape)]
        without_batch = [[None] + shape[1:] for shape in traced]
        rows.append({
            "kept_bytes": kept.get(layer.name, 0),
            "name": layer.name,
            "output_shape": without_batch if len(without_batch) > 1 else without_batch[0],
            "parameters": parameters_of(layer.weights),
            "trainable_parameters": parameters_of(layer.trainable_weights),
            "type": type(layer).__name__,
            "within": within,
        })

    for layer in model.layers:
        add(layer, None)
        for inner in getattr(layer, "layers", []):
            add(inner, layer.name)
    return rows


# keras.applications


def application_names():
    import keras

    found = vars(keras.applications)
    return [n for n in sorted(found) if not n.startswith("_") and callable(found[n])]


def smallest_first(names):
    """By what the architecture's archive, recorded before, says of their parameters."""
    import zipfile

    path = os.path.join(os.path.dirname(__file__), "../../analyzer/keras/applications.zip")
    with zipfile.ZipFile(path) as archive:
        recorded = set(archive.namelist())

        def parameters(name):
            file = name + ".json"
            return json.loads(archive.read(file))["parameters"] if file in recorded else 0

        return sorted(names, key=parameters)


def record_application(name):
    """One step of a model of keras.applications at its own input size, by plain SGD."""
    tf = prepared()
    model = getattr(tf.keras.applications, name)(weights=None)
    model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
    shape = [side or 224 for side in model.input_shape[1:]]
    batches = [(tf.zeros([n] + shape), tf.zeros([n], tf.int32)) for n in APPLICATION_BATCHES]
    return {"case": name, "trainings": [steps_of(model, batches)], "versions": versions()}


if __name__ == "__main__":
    sys.exit(main())
