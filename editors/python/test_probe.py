#!/usr/bin/env python3
"""Runs tfmem probe on the programs of testdata/probe with real TensorFlow, Keras 3 and tf_keras, and
on a notebook, in an environment of its own.

Usage: test_probe.py [--python PYTHON] [NAME...]. With --python the programs run by that Python, which
has TensorFlow already. Where TFMEM_CI_LONG is set, it also tells what a probe adds to a program's time.

Comments of a program say how it is run ("args:", "module:"), what must be observed ("want:"), and how
what --verify says begins ("verify:").
"""

import base64
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "editors/python/testdata/probe"


def main():
    arguments = sys.argv[1:]
    python = None
    if arguments[:1] == ["--python"]:
        python, arguments = arguments[1], arguments[2:]
    with tempfile.TemporaryDirectory(prefix="tfmem-probe-") as name:
        folder = pathlib.Path(name)
        if python is None:
            python = str(folder / "env" / "bin" / "python")
            packages = ["tensorflow-cpu", "tf_keras", "ipykernel", "nbconvert"]
            for needed in ([sys.executable, "-m", "venv", folder / "env"], [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]):
                if subprocess.run([str(c) for c in needed]).returncode:
                    print("SKIPPED: TensorFlow could not be installed")
                    return
        subprocess.run(["go", "build", "-o", folder / "tfmem", "./cmd/tfmem"], cwd=ROOT, check=True)
        cases = [p for p in sorted(PROGRAMS.rglob("*")) if wants(p) and (not arguments or p.stem in arguments)]
        keras = [(label, env) for label, env in (("keras 3", {}), ("tf_keras", {"TF_USE_LEGACY_KERAS": "1"})) if importable(python, label)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(probe, case, label, env, python, folder) for case in cases for label, env in keras]
        if not runs:
            sys.exit("there are no programs")
        failed = [r.result() for r in runs if r.result()]
        if failed:
            sys.exit("\n".join(failed))
        if os.environ.get("TFMEM_CI_LONG"):
            added(python, folder)


def importable(python, label):
    """Whether an environment has this Keras, which one of an older TensorFlow has not."""
    return label == "keras 3" or subprocess.run([python, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('tf_keras') is None)"]).returncode == 0


def comments(path, word):
    if path.suffix not in (".py", ".ipynb"):
        return []
    return re.findall(rf'# {word}: (.*?)(?:\\n",?)?$', path.read_text(), re.M)


def wants(path):
    return comments(path, "want")


def probe(path, label, env, python, folder):
    """What is wrong with a run of a program, or nothing."""
    out = PROGRAMS / f".{path.stem}-{label[0]}.json"  # paths are relative to its folder
    command = [python, path.relative_to(PROGRAMS)]
    if comments(path, "module"):
        command = [python, "-m", *comments(path, "module")]
    elif path.suffix == ".ipynb":
        command = [python, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", folder / "out.ipynb", path.relative_to(PROGRAMS)]
    for words in comments(path, "args"):
        command += words.split()
    env = {**os.environ, **env, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": str(folder)}
    try:
        done = subprocess.run([str(c) for c in [folder / "tfmem", "probe", *(["--verify"] if comments(path, "verify") else []), "-o", out, "--", *command]], cwd=PROGRAMS, env=env, capture_output=True, text=True, timeout=600)
        said = done.stdout + done.stderr
        name = f"{path.relative_to(PROGRAMS)} with {label}"
        if done.returncode or "tfmem: stopped before the first training step, as asked\n" not in done.stderr or "after" in done.stdout.split():
            return f"FAILED: {name} ended with {done.returncode}:\n{said}"
        told = json.loads(out.read_text())
        if "own get_config" in said or "secret" in json.dumps(told["files"]):
            return f"FAILED: {name}: the program's own code ran, or a text that it does not have is told:\n{said}"
        lines = observed(told)
        missing = [w for w in wants(path) if w not in lines]
        missing += [w for w in comments(path, "verify") if f"\ntfmem: {w}" not in done.stderr]
        if missing:
            return f"FAILED: {name} told not: {missing}\nin\n" + "\n".join(lines)
        print("ok  ", name, flush=True)
    finally:
        out.unlink(missing_ok=True)


def observed(told):
    """The observations, a line each."""
    lines = []
    for module in told["files"].values():
        lines += [f"{n['function'] or '-'} {n['name']} {value(n['value'])}" for n in module["names"]]
        lines += [f"{c['function'] or '-'} {c['kind']} {step(c['step'])}" for c in module["calls"] if c.get("step")]
        lines += [" ".join(str(part) for part in (c["function"] or "-", c["kind"], c.get("batch") and spec(c["batch"]), c.get("steps"), c.get("batches") and f"of {c['batches']}") if part is not None) for c in module["calls"]]
    return lines


def step(s):
    """A traced step, or why it is not."""
    if not s.get("graph"):
        return s["why"]
    told = json.loads(gzip.decompress(base64.b64decode(s["graph"])))
    products = sum(told["types"][n[0]] in ("MatMul", "_FusedMatMul") for n in told["nodes"])
    return f"traced, {products} products, {s['parameters']} parameters, {s['trainable']} trained by {s['optimizer']}"


def value(v):
    kind = v["kind"]
    if kind in ("number", "text"):
        return v["value"]
    if kind == "array":
        return spec(v)
    if kind == "dataset":
        return f"dataset {spec(v['spec'])} {v.get('length')}"
    if kind == "model":
        return " ".join([v["class"].rpartition(".")[2], str(v.get("parameters")), *(["config"] if v.get("config") else [])])
    if kind == "object":
        return f"{v['class'].rpartition('.')[2]}({', '.join(f'{n}={value(f)}' for n, f in sorted(v['fields'].items()))})"
    return kind


def spec(s):
    if isinstance(s.get("items"), dict):
        return "{" + ", ".join(f"{k}: {spec(i)}" for k, i in s["items"].items()) + "}"
    if s.get("items") is not None:
        return f"({', '.join(spec(i) for i in s['items'])})"
    return f"{s.get('shape')} {s.get('dtype')}"


def added(python, folder):
    """Tells what a probe adds to a program's own work until its first step, in processor time, as the
    machine may do other things."""
    ended = "import time; class_ = tf.keras.callbacks.Callback\nclass Stop(class_):\n    def on_train_begin(self, logs=None):\n        import os; os._exit(0)\n"
    text = (PROGRAMS / "dataset.py").read_text()
    alone = folder / "alone.py"
    alone.write_text(text.replace("import tensorflow as tf\n", "import tensorflow as tf\n" + ended, 1).replace("epochs=1", "epochs=1, callbacks=[Stop()]"))
    env = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", "XDG_CACHE_HOME": str(folder)}
    times = []
    for _ in range(3):
        pair = []
        for command in ([python, alone], [folder / "tfmem", "probe", "-q", "-o", folder / "o.json", "--", python, alone]):
            begun = worked()
            subprocess.run([str(c) for c in command], env=env, cwd=folder, capture_output=True, check=True)
            pair.append(worked() - begun)
        times.append(pair[1] - pair[0])
    print(f"     a probe adds {sorted(times)[1]:.2f} s to {pair[0]:.1f} s of processor time until the first step (median of 3 pairs)")


def worked():
    """The processor time of the processes that this one has started and that have ended."""
    used = os.times()
    return used.children_user + used.children_system


if __name__ == "__main__":
    main()
