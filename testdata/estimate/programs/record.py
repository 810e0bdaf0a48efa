"""Records the parameters that real Keras gives the models of cases/.

    python record.py cases/*.py --out parameters.json

Each case runs to its end in a process of its own. Of every variable of the module
that is a model then, the sizes of its weights are added up: all, and the trained.
"""

import argparse
import json
import math
import os
import runpy
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--out", help="a file; without it, one case is run here and printed")
    arguments = parser.parse_args()
    if not arguments.out:
        print(json.dumps(parameters(arguments.cases[0])))
        return 0
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="3", TF_USE_LEGACY_KERAS="0")
    records = {}
    for case in arguments.cases:
        done = subprocess.run(
            [sys.executable, os.path.abspath(__file__), case], env=environment, stdout=subprocess.PIPE, text=True,
        )
        if done.returncode:
            return done.returncode
        records[os.path.basename(case)] = json.loads(done.stdout.splitlines()[-1])
        print("recorded", case, flush=True)
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(json.dumps(records, indent=1, sort_keys=True) + "\n")
    return 0


def parameters(case):
    import keras

    names = runpy.run_path(case, run_name="__main__")
    return {
        name: [size(model.weights), size(model.trainable_weights)]
        for name, model in names.items()
        if isinstance(model, keras.Model)
    }


def size(weights):
    return sum(math.prod(weight.shape) for weight in weights)


if __name__ == "__main__":
    sys.exit(main())
