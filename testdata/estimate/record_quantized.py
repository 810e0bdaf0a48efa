"""Records what models need that quantize has changed, to predict and to train.

    python record_quantized.py quantized/cases/*.py --out quantized.csv

Each program runs as record.py runs one, until it calls fit: there the forward pass
and a step are measured on its own batch (record.py, measure_inline). It needs Keras 3.
"""

import argparse
import os
import sys

import record

COLUMNS = (
    "program", "keras", "batch", "parameters", "trainable", "weights", "forward_peak", "pool_peak",
)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", help="training scripts")
    parser.add_argument("--out", help="the table, a CSV file")
    parser.add_argument("--in-process", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.in_process:
        record.record_training = measured
        found = record.record_case(arguments.programs[0])
        record.write_json(arguments.in_process, found["trainings"][0] | found["versions"])
        return 0
    rows = record.read_table(arguments.out)
    there = {row["program"] for row in rows}
    for program in arguments.programs:
        name = record.name_of(program)
        if name in there:
            continue
        done, why = record.run_self(program, False, False, os.path.abspath(__file__))
        print("failed" if done is None else "recorded", program, why[-2000:], flush=True)
        if done:
            rows.append({"program": name} | {column: done[column] for column in COLUMNS[1:]})
            record.write_table(arguments.out, COLUMNS, rows)
    return 0


def measured(model, batch):
    import tensorflow as tf

    x = batch[0]
    forward = tf.function(lambda x: model(x, training=False), autograph=False, jit_compile=False)
    graph = forward.get_concrete_function(tf.TensorSpec(x.shape, x.dtype)).graph
    inferred = record.measure_inline(graph, x, model.optimizer)
    model.jit_compile = False
    record.traced(model, batch)  # it makes the variables of the optimizer and the metrics
    step = record.measure_inline(record.traced(model, batch), batch, model.optimizer)
    size = lambda variables: sum(record.variable_bytes(v) for v in variables)
    weights = size(model.weights)
    resident = (
        weights + size(record.optimizer_variables(model.optimizer))
        + size(v for m in model.metrics for v in m.variables) + sum(record.tensor_bytes(t) for t in batch)
    )
    return {
        "batch": record.rows_in(batch),
        "parameters": model.count_params(),
        "trainable": record.parameters_of(model.trainable_weights),
        "weights": weights,
        "forward_peak": weights + record.tensor_bytes(x) + inferred["peak_without_scratch_bytes"],
        "pool_peak": resident + step["peak_without_scratch_bytes"],
    }


if __name__ == "__main__":
    sys.exit(main())
