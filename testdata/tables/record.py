"""Records how many rows pandas reads of the tables here, and how many lines TensorFlow does.

    python record.py    # TensorFlow 2.21, pandas 3.1.1

Each case of cases.txt is an expression over functions.py. TestTablesAsPandas (analyzer) compares.
"""

import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.chdir(os.path.dirname(os.path.abspath(__file__)))

import functions

with open("cases.txt") as lines:
    cases = [line.removeprefix("? ") for line in lines.read().splitlines() if not line.startswith("#")]
record = {"pandas": functions.pd.__version__, "numbers": {case: int(eval(case, vars(functions))) for case in cases}}
with open("rows.json", "w") as file:
    json.dump(record, file, indent=1)
    file.write("\n")
