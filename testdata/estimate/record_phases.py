"""Records what each phase of programs needs: their trainings, validations, evaluations and predictions.

    python record_phases.py phases/*.py --out phases.csv

A call of fit or evaluate is not run: one step on its first batch is recorded, as record.py does,
beside the weights and the optimizer's variables that exist then. What fit has of validation_data is
a phase of its own. A call of predict is recorded so, too, and then runs: others may take what it
returns. Each program runs under Keras 3 and under tf_keras, in a
process of its own. Programs that have rows already are skipped.
"""

import argparse
import csv
import os
import subprocess
import sys
import types

import record

COLUMNS = ("program", "keras", "phase", "kind", "batch", "weights", "optimizer", "pool_peak")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    if arguments.out is None:
        record_phases(arguments.programs[0])
        return
    there = set()
    if os.path.exists(arguments.out):
        with open(arguments.out, newline="") as file:
            there = {row["program"] for row in csv.DictReader(file)}
    with open(arguments.out, "a", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if not there:
            table.writeheader()
        for program in arguments.programs:
            if record.name_of(program) in there:
                continue
            for legacy in ("0", "1"):
                output = subprocess.run(
                    [sys.executable, __file__, program], check=True, stdout=subprocess.PIPE,
                    env=os.environ | record.ENVIRONMENT | {"TF_USE_LEGACY_KERAS": legacy},
                ).stdout.decode()
                for line in output.splitlines():
                    if line.startswith("phase,"):
                        table.writerow(dict(zip(COLUMNS, line.split(",")[1:])))
                file.flush()


def record_phases(path):
    tf = record.prepared()
    version = record.versions()["keras"]
    model_class = tf.keras.Model
    originals = {name: getattr(model_class, name) for name in ("fit", "evaluate", "predict")}
    made = {"fit": "train", "evaluate": "test", "predict": "predict"}
    count = 0

    def first_batch(model, method, arguments, keywords):
        taken = []

        def take(data):
            taken.append(data[0] if isinstance(data, list) else next(data))
            raise record.BatchTaken

        maker = f"make_{made[method]}_function"
        original = getattr(model_class, maker)

        def make(model, force=False):
            setattr(model, f"{made[method]}_function", take)
            return take

        setattr(model_class, maker, make)
        try:
            originals[method](model, *arguments, **keywords)
        except record.BatchTaken:
            pass
        finally:
            setattr(model_class, maker, original)
        setattr(model, f"{made[method]}_function", None)
        return taken[0]

    def write(kind, model, batch, peak):
        nonlocal count
        rows = record.rows_in(batch)
        print(",".join(map(str, (
            "phase", record.name_of(path), version, count, kind, rows, weights(model), optimizer(model), peak))), flush=True)
        count += 1

    def weights(model):
        return sum(record.variable_bytes(v) for v in model.weights)

    def optimizer(model):
        return sum(record.variable_bytes(v) for v in record.optimizer_variables(model.optimizer)) if getattr(model, "optimizer", None) else 0

    def forward(model, kind, step, batch):
        def run(data):
            return step(data)

        specs = tf.nest.map_structure(lambda t: tf.TensorSpec(t.shape, t.dtype), batch)
        graph = tf.function(run, autograph=False, jit_compile=False).get_concrete_function(specs).graph
        peak = record.measure_inline(graph, batch, getattr(model, "optimizer", None) or types.SimpleNamespace(name="none"))["peak_without_scratch_bytes"]
        peak += sum(record.tensor_bytes(t) for t in tf.nest.flatten(batch)) + weights(model) + optimizer(model)
        if kind != "predict":
            peak += sum(record.variable_bytes(v) for m in model.metrics for v in m.variables)
        write(kind, model, batch, peak)

    def fit(model, *arguments, validation_data=None, validation_batch_size=None, **keywords):
        batch = first_batch(model, "fit", arguments, keywords)
        model.jit_compile = False
        record.traced(model, batch)  # it makes the variables of the optimizer and the metrics
        write("fit", model, batch, record.record_step(model, batch)["pool_peak_bytes"])
        if validation_data is not None:
            given = validation_data if isinstance(validation_data, tuple) else (validation_data,)
            size = validation_batch_size or keywords.get("batch_size")
            of = {"batch_size": size} if isinstance(validation_data, tuple) else {}
            forward(model, "validate", model.test_step, first_batch(model, "evaluate", given, of))
        history = tf.keras.callbacks.History()
        history.history = {"loss": []}
        return history

    def evaluate(model, *arguments, **keywords):
        batch = first_batch(model, "evaluate", arguments, keywords)
        forward(model, "evaluate", model.test_step, batch)
        return 0.0

    def predict(model, *arguments, **keywords):
        batch = first_batch(model, "predict", arguments, keywords)
        forward(model, "predict", model.predict_step, batch)
        return originals["predict"](model, *arguments, **keywords)

    model_class.fit, model_class.evaluate, model_class.predict = fit, evaluate, predict
    record.run_program(path)


if __name__ == "__main__":
    main()
