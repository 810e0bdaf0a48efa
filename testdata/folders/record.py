"""Records what Keras makes of the folders in tree.txt.

    python record.py --out keras3.json                            # TensorFlow 2.21, Keras 3.15.1
    TF_USE_LEGACY_KERAS=1 python record.py --out tf_keras.json    # tf_keras 2.21

Each case of cases.txt is a call and a number of its result. The record has the number, or the name of
the exception. TestFoldersAsKeras (analyzer) compares.
"""

import argparse
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def plant(root):
    with open(os.path.join(HERE, "tree.txt")) as lines:
        for line in lines.read().splitlines():
            path, _, target = line.partition(" -> ")
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if target:
                os.symlink(target, path)
            else:
                open(path, "w").close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True)
    out = os.path.abspath(parser.parse_args().out)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    from tensorflow import keras

    known = {"keras": keras, "ImageDataGenerator": keras.preprocessing.image.ImageDataGenerator}
    version = sys.modules[keras.Model.__module__.partition(".")[0]].__version__
    record = {"keras": version, "numbers": {}}
    with open(os.path.join(HERE, "cases.txt")) as lines:
        cases = [line.removeprefix("? ") for line in lines.read().splitlines() if not line.startswith("#")]
    with tempfile.TemporaryDirectory() as root:
        plant(root)
        os.chdir(root)
        for case in cases:
            call, _, number = case.partition(" | ")
            try:
                found = int(eval(number, known | {"data": eval(call, known)}))
            except Exception as error:
                found = type(error).__name__
            record["numbers"][case] = found
        os.chdir(HERE)
    with open(out, "w") as file:
        json.dump(record, file, indent=1)
        file.write("\n")


main()
