"""Runs what any two fixes of one case make together under real TensorFlow, beside each alone.

    go test ./rules -run 'TestPairs$' -pairs FOLDER
    python testdata/rules/pairs.py FOLDER

FOLDER holds CASE.I.py and CASE.J.py, the case after one fix each, and CASE.I.J.py after
both. Where both of the former run to their end the latter has to; where one stops with
an error, the latter may stop with no other than one of theirs. Most cases name what is
defined nowhere, and so stop with NameError: they prove nothing and are not recorded. It
writes pairs.json next to itself: the versions, and the SHA-256 of each program of two
fixes that ran to its end. It ends with an error where a pair is worse than its parts. No
GPU is needed or used; each program runs in a process and a folder of its own, for at
most 60 seconds.
"""

import glob
import hashlib
import json
import os
import re
import runpy
import signal
import sys
import tempfile

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"


def run(path):
    """What a program ends with: "" or the name of an error."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        outcome = "killed"
        try:
            signal.alarm(60)
            os.chdir(tempfile.mkdtemp())
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            sys.argv = [path]
            runpy.run_path(path, run_name="__main__")
            outcome = ""
        except BaseException as e:  # SystemExit as well
            outcome = type(e).__name__
        finally:
            os.write(writer, outcome.encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as f:
        outcome = f.read()
    _, status = os.waitpid(child, 0)
    return outcome if status == 0 else "killed"


def main(folder):
    import keras  # before the fork; no device is made by that
    import tensorflow as tf

    outcomes = {}
    for path in sorted(glob.glob(os.path.join(os.path.abspath(folder), "*.py"))):
        outcomes[os.path.basename(path)[:-3]] = run(path)
    ran, worse = {}, []
    for name, outcome in outcomes.items():
        pair = re.fullmatch(r"(.+)\.(\d+)\.(\d+)", name)
        if not pair:
            continue
        case, i, j = pair.groups()
        alone = {outcomes[f"{case}.{i}"], outcomes[f"{case}.{j}"]}
        if outcome not in alone:
            worse.append(f"{name}: {outcome or 'it runs'}, alone {sorted(alone)}")
        elif outcome == "":
            with open(os.path.join(folder, name + ".py"), "rb") as f:
                ran[name] = hashlib.sha256(f.read()).hexdigest()
    record = {"tensorflow": tf.__version__, "keras": keras.__version__, "programs": len(outcomes), "ran": ran}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pairs.json"), "w") as f:
        json.dump(record, f, indent=1, sort_keys=True)
        f.write("\n")
    print(f"{len(ran)} programs of two fixes ran to their end")
    for line in worse:
        print(line)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
