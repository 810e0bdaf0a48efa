"""Records what real TensorFlow needs to train and to predict, layer by layer.

    python record_steps.py steps.txt --out steps.csv
    python record_steps.py steps.txt --out steps.csv --only 'LSTM'

It needs TensorFlow (the CPU build is enough), tf-keras, and nothing of tfmem.

Every line of steps.txt is a model: the inputs' shapes, and what is computed of
them (see cases.txt), averaged to one number an example. It is trained by plain SGD
on the mean squared error, and predicts, under Keras 3 and under tf-keras, in
float32 and in mixed_float16, on BATCHES. The peaks are those of ../record.py and
of ../record_inference.py. All models of one Keras and one policy share a process.

Lines that have rows are passed over: delete the rows that are to be recorded anew.
A line that a Keras refuses has a row with a note that says why. --explain FOLDER
writes what lives at the peaks there.
"""

import argparse
import csv
import gc
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import record
import record_inference

BATCHES = (4, 32)
MODES = ("train", "predict")
COLUMNS = ("case", "keras", "policy", "mode", "batch", "pool_peak", "note")
POLICIES = ("float32", "mixed_float16")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases")
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", metavar="REGEXP", type=re.compile, default=re.compile(""))
    parser.add_argument("--keras", action="append", choices=("3", "tf_keras"))
    parser.add_argument("--policy", action="append", choices=POLICIES + ("mixed_bfloat16",))
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--batch", action="append", type=int)
    parser.add_argument("--explain", metavar="FOLDER")
    parser.add_argument("--in-process", metavar="POLICY", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.in_process:
        return each(arguments)
    with open(arguments.cases, encoding="utf-8") as file:
        cases = [line.strip() for line in file if "->" in line and not line.startswith("#")]
    cases = [case for case in cases if arguments.only.search(case)]
    rows = record.read_table(arguments.out)
    for legacy in (False, True):
        if arguments.keras and ("tf_keras" if legacy else "3") not in arguments.keras:
            continue
        for policy in arguments.policy or POLICIES:
            there = {r["case"] for r in rows if r["policy"] == policy and r["keras"].startswith("tf_keras") == legacy}
            waiting = [case for case in cases if case not in there]
            if not waiting:
                continue
            process = subprocess.Popen(
                [sys.executable, os.path.abspath(__file__), "-", "--out", "-", "--in-process", policy]
                + (["--explain", arguments.explain] if arguments.explain else [])
                + [f"--mode={m}" for m in arguments.mode or []] + [f"--batch={b}" for b in arguments.batch or []],
                env=os.environ | record.ENVIRONMENT | {"TF_USE_LEGACY_KERAS": "1" if legacy else "0"},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )
            process.stdin.write("\n".join(waiting))
            process.stdin.close()
            for line in process.stdout:
                rows += json.loads(line)
                print(line[:160].strip(), flush=True)
                write(arguments.out, rows)
            process.wait()
    return 0


def write(path, rows):
    """Writes the rows by case, Keras, policy, mode and batch."""
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda r: [r["case"], r["keras"], r["policy"], r["mode"], int(r["batch"] or 0)]))
    os.replace(path + ".new", path)


def each(arguments):
    """Records the lines on standard input, and writes the rows of each as a line of JSON."""
    tf = record.prepared()
    keras = tf.keras
    key = {"keras": record.versions()["keras"], "policy": arguments.in_process}
    for case in sys.stdin.read().splitlines():
        keras.backend.clear_session()  # it resets the policy of Keras 3, too
        keras.mixed_precision.set_global_policy(arguments.in_process)
        gc.collect()
        key["case"] = case
        try:
            rows, explained = peaks(tf, case, arguments.mode or MODES, arguments.batch or BATCHES)
        except Exception as error:
            text = str(error).strip().splitlines()
            rows, explained = [{"mode": "", "batch": "", "note": f"{type(error).__name__}: {text[0] if text else ''}"[:160]}], None
        if arguments.explain and explained:
            name = re.sub(r"\W+", "_", " ".join((key["keras"][:5], arguments.in_process, case)))[:150]
            record.write_json(os.path.join(arguments.explain, name + ".json"), explained)
        print(json.dumps([key | row for row in rows]), flush=True)


def peaks(tf, case, modes, batches):
    inputs, out = built(tf.keras, case)
    layers = tf.keras.layers
    out = layers.GlobalAveragePooling1D()(layers.Reshape((-1, 1))(out))
    model = tf.keras.Model(inputs, out)
    model.compile("sgd", "mse", jit_compile=False)
    steps = {}
    for i, rows in enumerate(batches):
        data = [tf.zeros([rows] + list(t.shape)[1:], t.dtype) for t in inputs]
        batch = (data[0] if len(data) == 1 else data, tf.zeros([rows, 1]))
        if "predict" in modes:
            steps["predict", rows] = record_inference.record_inference(model, batch, True)
        if "train" in modes:
            if i == 0:
                record.traced(model, batch)  # it makes the variables of the optimizer and the metrics
            steps["train", rows] = trained(model, batch)
    rows = [
        {"mode": mode, "batch": batch, "pool_peak": step["pool_peak_bytes"]}
        for (mode, batch), step in steps.items()
    ]
    return rows, {f"{mode} {batch}": step for (mode, batch), step in steps.items()}


def trained(model, batch):
    resident = record.resident_bytes(model, batch)
    step = record.measure_inline(record.traced(model, batch), batch, model.optimizer)
    return {
        "pool_peak_bytes": sum(resident.values()) + step["peak_without_scratch_bytes"],
        "resident": resident,
        "step": step,
    }


def built(keras, case):
    """The inputs and the output of a case."""
    import tensorflow as tf

    specs, _, expression = case.partition(" -> ")
    names = dict(vars(keras.layers), keras=keras, tf=tf)
    inputs = []
    for name, spec in zip("xyz", specs.split(" + ")):
        shape, _, dtype = spec.rpartition(") ")
        shape, dtype = (eval(shape + ")"), dtype) if shape else (eval(spec), "float32")
        names[name] = keras.Input(shape, dtype=dtype)
        inputs.append(names[name])
    return inputs, eval(expression, names)


if __name__ == "__main__":
    sys.exit(main())
