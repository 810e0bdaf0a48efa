"""Writes down how real Keras describes the models of programs: the JSON of model.to_json().

    python record.py ../estimate/cases/*.py --out models.zip

It needs TensorFlow and tf_keras, and nothing of tfmem. Each program runs as the script it is until it
calls fit; what the model is then is recorded, under Keras 3 as NAME.json and under tf_keras as
NAME.keras2.json. Programs whose model Keras cannot describe are left out, and named.
"""

import argparse
import contextlib
import os
import runpy
import subprocess
import sys
import tempfile
import zipfile

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")


class Described(BaseException):
    """Ends a program at its first fit. No program catches it."""


def record(programs, legacy, folder):
    if legacy:
        os.environ["TF_USE_LEGACY_KERAS"] = "1"
        import tf_keras as keras

        sys.modules["keras"] = keras
    else:
        import keras

    def fit(model, *args, **kwargs):
        raise Described(model)

    keras.Model.fit = fit
    for program in programs:
        name = os.path.splitext(os.path.basename(program))[0]
        keras.backend.clear_session()
        for policy in (getattr(keras, "mixed_precision", None), getattr(keras, "config", None)):
            with contextlib.suppress(AttributeError):
                policy.set_global_policy("float32")
            with contextlib.suppress(AttributeError):
                policy.set_dtype_policy("float32")
        sys.argv = [program]
        try:
            runpy.run_path(program, run_name="__main__")
            why = "it never calls fit"
        except Described as at:
            try:
                text, why = at.args[0].to_json(), ""
            except Exception as failure:
                why = f"{type(failure).__name__}: {failure}"
        except (Exception, SystemExit) as failure:
            why = f"{type(failure).__name__}: {failure}"
        if why:
            print(f"{name}, {'tf_keras' if legacy else 'Keras 3'}: {why.splitlines()[0][:100]}", file=sys.stderr)
            continue
        with open(os.path.join(folder, name + (".keras2" if legacy else "") + ".json"), "w") as out:
            out.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--into", choices=("keras3", "keras2"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.into:
        record(arguments.programs, arguments.into == "keras2", arguments.out)
        return
    with tempfile.TemporaryDirectory() as folder:
        for into in ("keras3", "keras2"):
            subprocess.run([sys.executable, __file__, *arguments.programs, "--out", folder, "--into", into], check=True)
        with zipfile.ZipFile(arguments.out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(os.listdir(folder)):
                with open(os.path.join(folder, name), "rb") as model:
                    archive.writestr(zipfile.ZipInfo(name), model.read(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
