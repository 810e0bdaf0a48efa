"""Records what real TensorFlow needs to predict, for the cases beside it.

    python record_inference.py cases/*.py --out inference.json

A case's first fit gives the model and a batch; what is recorded is the forward
pass alone, as predict runs it, in the order in which a GPU runs kernels
(record.py, measure_inline). Each case has a process of its own.
"""

import argparse
import json
import os
import subprocess
import sys

import record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    if arguments.out is None:
        record.record_training = record_inference
        json.dump(record.record_case(arguments.cases[0]), sys.stdout)
        return
    found = {}
    for path in arguments.cases:
        output = subprocess.run(
            [sys.executable, __file__, path], check=True, stdout=subprocess.PIPE,
            env=os.environ | record.ENVIRONMENT | {"TF_USE_LEGACY_KERAS": "0"},
        ).stdout
        result = json.loads(output.decode().splitlines()[-1])
        found[result["case"]] = result["trainings"][0]
        found[result["case"]]["versions"] = result["versions"]
    record.write_json(arguments.out, found)


def record_inference(model, batch, explain=False):
    import tensorflow as tf

    x = batch[0]
    specs = tf.nest.map_structure(lambda t: tf.TensorSpec(t.shape, t.dtype), x)
    predict = tf.function(lambda x: model(x, training=False), autograph=False, jit_compile=False)
    graph = predict.get_concrete_function(specs).graph
    inline = record.measure_inline(graph, x, model.optimizer)
    resident = {
        "batch_bytes": sum(record.tensor_bytes(t) for t in tf.nest.flatten(x)),
        "weights_bytes": sum(record.variable_bytes(v) for v in model.weights),
    }
    return {
        "batch_size": int(tf.nest.flatten(x)[0].shape[0]),
        "pool_peak_bytes": sum(resident.values()) + inline["peak_without_scratch_bytes"],
        "resident": resident,
    } | ({"step": inline} if explain else {})


if __name__ == "__main__":
    main()
