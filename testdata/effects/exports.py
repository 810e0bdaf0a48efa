"""Records what "from MODULE import *" binds, for every public module of TensorFlow.

    python exports.py > one.txt          in each environment, with TF_USE_LEGACY_KERAS=1 for tf_keras
    python exports.py --merge one.txt two.txt … > ../../analyzer/effects/exports.txt

A line is a module and its names, those of __all__ or else what dir() lists without an
underscore. Merged, a name that one of the environments lacks ends in a "?", with 2 or 3
behind it where just those with that Keras have it.
"""

import os
import sys
import types


def record():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    import importlib

    keras = importlib.import_module("tf_keras") if os.environ.get("TF_USE_LEGACY_KERAS") == "1" else importlib.import_module("keras")
    print(f"# TensorFlow {tf.__version__}, {keras.__name__} {keras.__version__}")
    seen = {}

    def visit(name, module):
        names = sorted(getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")])
        seen[name] = names
        for n in [n for n in dir(module) if not n.startswith("_")]:
            below = f"{name}.{n}"
            try:
                m = getattr(module, n)
            except Exception:  # a module that loads when asked for, and cannot
                continue
            if below in seen or n in ("compat", "v1", "v2", "raw_ops") or not isinstance(m, types.ModuleType):
                continue
            home = getattr(m, "__name__", "")
            if "._api." in home or home.split(".")[0] in ("keras", "tf_keras"):
                visit(below, m)

    visit("tensorflow", tf)
    for name in sorted(seen):
        print(f"{name}: {' '.join(seen[name])}")


def merge(files):
    tables, versions, generations = [], [], []
    for f in files:
        table = {}
        for line in open(f):
            if line.startswith("#"):
                versions.append(line[1:].strip())
                generations.append(3 if " keras 3." in line else 2)
                continue
            module, _, names = line.partition(": ")
            table[module] = set(names.split())
        tables.append(table)
    print('# What "from MODULE import *" binds: a module a line, and its public names, which are')
    print("# those of __all__, or else what dir() lists without an underscore. Not every version")
    print('# has the names that end in "?": with a number behind it, just those with that Keras.')
    print("#")
    print(f"# Recorded by testdata/effects/exports.py from {'; '.join(versions)}.")
    print()

    def marked(name, having):
        has = [name in names for names in having]
        if all(has):
            return name
        of = [g for g in (2, 3) if has == [own == g for own in generations]]
        return name + "?" + "".join(map(str, of))

    for module in sorted(set().union(*tables)):
        having = [t.get(module, set()) for t in tables]
        names = sorted(set().union(*having))
        print(f"{module}: {' '.join(marked(n, having) for n in names)}")


if __name__ == "__main__":
    merge(sys.argv[2:]) if sys.argv[1:2] == ["--merge"] else record()
