"""Records what a real TensorFlow does with the programs in cases/.

    python record.py [NAME...] > records/tensorflow-<version>-keras-<version>.json

Every program runs in an interpreter of its own. "raises" is the type and message of
the error that ended it, null where it ran; "sha256" is of the text that was run.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

CASES = pathlib.Path(__file__).parent / "cases"
TIMEOUT_SECONDS = 300
LONGEST_MESSAGE = 1500

# What the interpreter of a case runs. The GPUs are entered where
# tensorflow/python/eager/context.py keeps the physical devices it found.
RUNNER = """
import json, runpy, sys
import tensorflow as tf
gpus, case, result = int(sys.argv[1]), sys.argv[2], sys.argv[3]
if gpus:
    from tensorflow.python.eager import context
    c = context.context()
    tf.config.list_physical_devices()
    believed = [context.PhysicalDevice("/physical_device:GPU:%d" % i, "GPU") for i in range(gpus)]
    c._physical_devices += believed
    c._visible_device_list += believed
    c._memory_growth_map.update({gpu: None for gpu in believed})
raised = None
try:
    runpy.run_path(case, run_name="__main__")
except SystemExit as e:
    raised = None if not e.code else "SystemExit: %s" % e.code
except BaseException as e:
    raised = "%s: %s" % (type(e).__name__, e)
with open(result, "w") as f:
    json.dump(raised, f)
"""


def header(text, key):
    found = re.search(rf"(?m)^# {key}: (.*)$", text)
    return found.group(1) if found else None


def run(path):
    text = path.read_text()
    result = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"raises-{os.getpid()}.json"
    result.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, header(text, "gpus") or "0", str(path), str(result)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=TIMEOUT_SECONDS, text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    if not result.exists():
        raise SystemExit(f"{path}: the interpreter died with {done.returncode}:\n{done.stderr[-2000:]}")
    raised = json.loads(result.read_text())
    result.unlink()
    if raised is not None:
        # Where TensorFlow is installed is nobody's business.
        raised = re.sub(r'(["\'])/[^"\']*/([^/"\']+)\1', r"\1\2\1", raised.replace(str(path), path.name))[:LONGEST_MESSAGE]
    print(f"{path.name}: {raised and raised.splitlines()[0]}", file=sys.stderr)
    return {"sha256": hashlib.sha256(text.encode()).hexdigest(), "raises": raised}


def versions():
    import importlib

    import tensorflow as tf

    legacy = os.environ.get("TF_USE_LEGACY_KERAS") == "1"
    keras = importlib.import_module("tf_keras" if legacy else "keras")
    return {"tensorflow": tf.__version__, "keras": keras.__version__, "legacy_keras": legacy, "python": sys.version.split()[0]}


def main(names):
    out = {**versions(), "cases": {}}
    for path in sorted(CASES.glob("*.py")):
        if not path.stem.endswith(".fixed") and (not names or path.stem in names):
            only = header(path.read_text(), "keras")  # "2" or "3": what the case is about
            if only and out["keras"].split(".")[0] != only:
                continue
            out["cases"][path.stem] = {"bad": run(path), "fixed": run(path.with_suffix(".fixed.py"))}
    json.dump(out, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
