"""Records what Keras says of every layer: exports, shapes, parameters, what is kept.

    python record.py cases.txt --out keras3.json
    TF_USE_LEGACY_KERAS=1 python record.py cases.txt --out tf_keras.json
    python record.py cases.txt --out keras3.json --only 'RMSNormalization|LayerNorm'

needs TensorFlow (the CPU build is enough) and nothing of tfmem. The record holds
the names that keras.layers and keras.optimizers export, and for every line of
cases.txt the output's shapes and types, the parameters, and the bytes that the
gradients of the output's sum, by the weights and the inputs, take from the
forward pass with a batch of BATCH: counted as ../record.py counts what a training
step keeps. A case that this Keras refuses is recorded with its error.

With --only, the cases that match are recorded and all others stay as the file has
them; the versions must be those of the file.
"""

import argparse
import importlib.metadata
import inspect
import json
import os
import re
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import tensorflow as tf

import record as steps

BATCH = 64


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases")
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", metavar="REGEXP", type=re.compile, help="record these cases, and keep the others of the file")
    arguments = parser.parse_args()
    keras = tf.keras
    record = {
        "tensorflow": tf.__version__,
        "keras": importlib.metadata.version("tf_keras" if os.environ.get("TF_USE_LEGACY_KERAS") == "1" else "keras"),
        "batch": BATCH,
        "layers": exported(keras.layers),
        "optimizers": exported(keras.optimizers),
        "cases": [],
    }
    there = {}
    if arguments.only:
        with open(arguments.out, encoding="utf-8") as file:
            before = json.load(file)
        for name in ("tensorflow", "keras"):
            if before[name] != record[name]:
                sys.exit(f"{arguments.out} was recorded with {name} {before[name]}; this is {record[name]}")
        there = {case["case"]: case for case in before["cases"] if not arguments.only.search(case["case"])}
    with open(arguments.cases, encoding="utf-8") as file:
        for line in file:
            if "->" in line and not line.startswith("#"):
                case = there.get(line.strip())
                if case is None:
                    keras.backend.clear_session()
                    case = one(keras, line.strip())
                record["cases"].append(case)
    with open(arguments.out, "w", encoding="utf-8") as file:
        # A line a case, so that differences can be read.
        head = {k: v for k, v in record.items() if k != "cases"}
        text = json.dumps(head, sort_keys=True)[:-1] + ', "cases": [\n'
        file.write(text + ",\n".join(json.dumps(c, sort_keys=True) for c in record["cases"]) + "\n]}\n")


def exported(module):
    return sorted(n for n, v in vars(module).items() if n[0] != "_" and not inspect.ismodule(v) and callable(v))


def one(keras, line):
    inputs, _, expression = line.partition(" -> ")
    try:
        return dict(case=line, **measured(keras, inputs, expression))
    except Exception as error:  # what this Keras does not know or refuses
        text = str(error).strip().splitlines()
        return {"case": line, "error": type(error).__name__ + ": " + (text[0] if text else "")[:160]}


def measured(keras, inputs, expression):
    names = dict(vars(keras.layers), keras=keras, tf=tf)
    tensors = []
    for name, spec in zip("xyz", inputs.split(" + ")):
        shape, _, dtype = spec.rpartition(") ")
        shape = eval(shape + ")" if shape else spec)
        dtype = dtype if spec.endswith(dtype) and not spec.endswith(")") else "float32"
        names[name] = keras.Input(shape, dtype=dtype)
        tensors.append(names[name])
    out = eval(expression, names)
    flat = tf.nest.flatten(out)
    model = keras.Model(tensors, flat)
    weights = model.weights
    result = {
        "outputs": [list(t.shape) for t in flat],
        "dtypes": [dtype_name(t) for t in flat],
        "parameters": sum(size(w) for w in weights),
        "trainable": sum(size(w) for w in model.trainable_weights),
    }
    try:
        kept = kept_bytes(keras, model, tensors)
    except Exception as error:
        result["kept_error"] = type(error).__name__
    else:
        if kept is not None:
            result["kept"], result["largest"] = kept
    return result


def dtype_name(t):
    return t.dtype if isinstance(t.dtype, str) else t.dtype.name


def size(w):
    shape = tuple(d or 0 for d in w.shape)
    n = 1
    for d in shape:
        n *= d
    return n


def kept_bytes(keras, model, tensors):
    """The forward pass's tensors that gradients read, as in a train step."""
    if any(None in tuple(t.shape)[1:] or dtype_name(t) == "string" for t in tensors):
        return None
    specs = [tf.TensorSpec([BATCH] + list(t.shape)[1:], dtype_name(t)) for t in tensors]
    marks = []

    def step(*batch):
        with tf.GradientTape() as tape:
            tape.watch([b for b in batch if b.dtype.is_floating])
            # So that what a layer keeps of its input is no batch, but a tensor.
            passed = [tf.negative(b) if b.dtype.is_floating else b for b in batch]
            out = tf.nest.flatten(model(passed if len(passed) > 1 else passed[0], training=True))
            loss = [tf.reduce_sum(tf.cast(o, tf.float32)) for o in out if o.dtype.is_floating]
            if not loss:
                return []
            loss = tf.add_n(loss)
        marks.append(len(tf.compat.v1.get_default_graph().get_operations()))
        variables = [getattr(v, "value", v) if not callable(getattr(v, "value", v)) else v for v in model.trainable_variables]
        wanted = variables + [b for b in batch if b.dtype.is_floating]
        return [g for g in tape.gradient(loss, wanted) if g is not None]

    graph = tf.function(step, autograph=False, jit_compile=False).get_concrete_function(*specs).graph
    if not marks:
        return None
    operations = graph.get_operations()
    position = {op: i for i, op in enumerate(operations)}
    needed = steps.ancestors(graph.outputs, graph.control_outputs)
    kept = {}
    for op in operations[marks[0]:]:
        if op not in needed or op.type in steps.SHAPE_ONLY:
            continue
        for tensor in op.inputs:
            if position[tensor.op] < marks[0]:
                for buffer in steps.buffers_of(tensor):
                    kept[buffer.tensor.ref(), buffer.callers] = buffer
    total, largest = 0, []
    for buffer in kept.values():
        op = buffer.tensor.op
        if op.type in ("Placeholder", "ReadVariableOp", "Const") or buffer.tensor.shape.rank is None:
            continue
        bytes_ = steps.tensor_bytes(buffer.tensor) * buffer.repeats
        total += bytes_
        largest.append([bytes_, op.type, list(buffer.tensor.shape), buffer.tensor.dtype.name, buffer.repeats])
    largest.sort(key=lambda row: (-row[0], row[1]))
    return total, largest[:6]


if __name__ == "__main__":
    main()
