"""Runs the programs it is given under this environment's Keras, and complains of those that
do not end as their first line says:

    python check.py *.py
"""
import pathlib
import runpy
import sys

wrong = 0
for path in map(pathlib.Path, sys.argv[1:]):
    if path.name == "check.py":
        continue
    want = path.read_text().splitlines()[0].removeprefix("# Keras ")
    try:
        runpy.run_path(str(path))
        got = "runs"
    except Exception:
        got = "raises"
    if got != want:
        wrong = 1
        print(f"{path}: Keras {got}")
sys.exit(wrong)
