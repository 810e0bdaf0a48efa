"""Records what Keras's optimizers keep for the weights of a model.

    python optimizers.py optimizers.txt --out optimizers_keras3.json
    TF_USE_LEGACY_KERAS=1 python optimizers.py optimizers.txt --out optimizers_tf_keras.json

needs TensorFlow (the CPU build is enough) and nothing of tfmem. The model's
weights are an embedding (50, 8), a convolution (3, 8, 6) and (6,), a dense
(6, 5) and (5,): 585 numbers. Of an optimizer's variables the
numbers are counted, those left out that are one number for all weights or none
(the step, the learning rate, a weight's missing slot).
"""

import argparse
import importlib.metadata
import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow as tf

LEGACY = os.environ.get("TF_USE_LEGACY_KERAS") == "1"


def model(keras):
    """585 numbers in five weights."""
    layers = keras.layers
    return keras.Sequential([
        keras.Input((7,), dtype="int32"), layers.Embedding(50, 8, name="embedding"), layers.Conv1D(6, 3),
        layers.GlobalAveragePooling1D(), layers.Dense(5),
    ])


def numbers(variable):
    n = 1
    for d in variable.shape:
        n *= d
    return n


def kept(keras, line):
    optimizer = eval("keras.optimizers." + line.replace("(Adam(", "(keras.optimizers.Adam("), {"keras": keras})
    built = model(keras)
    weights = built.trainable_variables
    if hasattr(optimizer, "build"):
        optimizer.build(weights)
    else:
        optimizer._create_all_weights(weights)
    variables = optimizer.variables
    variables = variables() if callable(variables) else variables
    return sum(numbers(v) for v in variables if numbers(v) > 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases")
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    keras = tf.keras
    record = {"keras": importlib.metadata.version("tf_keras" if LEGACY else "keras"), "cases": []}
    with open(arguments.cases, encoding="utf-8") as file:
        for line in file.read().splitlines():
            try:
                record["cases"].append({"case": line, "slots": kept(keras, line)})
            except Exception as error:
                record["cases"].append({"case": line, "error": type(error).__name__ + ": " + str(error).splitlines()[0][:160]})
    with open(arguments.out, "w", encoding="utf-8") as file:
        head = {k: v for k, v in record.items() if k != "cases"}
        file.write(json.dumps(head)[:-1] + ', "cases": [\n' + ",\n".join(json.dumps(c) for c in record["cases"]) + "\n]}\n")


if __name__ == "__main__":
    main()
