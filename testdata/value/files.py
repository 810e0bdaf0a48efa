# Files of the project are read where they are small and of a kind that holds settings or
# names.
import io
import json
import os
from pathlib import Path

HERE = os.path.dirname(__file__)
with open(os.path.join(HERE, "data", "sizes.json")) as f:
    sizes = json.load(f)  # value: {'units': 256, 'rate': 0.001, 'layers': [128, 64], 'name': 'dense é', 'bias': True, 'seed': None, 'ratio': 0.5}
units = sizes["units"]  # value: 256 # soft
given = json.loads('{"a": [1, 2.0, -3], "b": {}, "a": 4}')  # value: {'a': 4, 'b': {}} # hard
items = json.loads("[1, [], \"x\"]")  # value: [1, [], 'x']
whole = json.loads(open(HERE + "/data/sizes.json", "r").read())["layers"]  # value: [128, 64]

names = [line.strip() for line in open(os.path.join(HERE, "data/classes.txt"))]  # value: ['rose', 'tulip', '', 'daisy']
with open(os.path.join(HERE, "data/classes.txt"), encoding="utf-8") as f:
    first = f.readline()  # value: 'rose\n'
    second = next(f)  # value: 'tulip\n'
    others = f.readlines()  # value: ['\n', 'daisy\n']
    nothing = f.read()  # value: ''
many = len(io.open(os.path.join(HERE, "data/classes.txt")).read().splitlines())  # value: 4
with open(os.path.join(HERE, "data/classes.txt")) as f:
    counted = sum(1 for _ in f)  # value: 4
    f.seek(0)
    from_start = f.readlines()  # value: ['rose\n', 'tulip\n', '\n', 'daisy\n']
with open(os.path.join(HERE, "data/classes.txt")) as f:
    after_one = iter(f)
    next(after_one)
    left = len(f.readlines())  # value: 3
    f.seek(2)
    elsewhere = f.read()  # unknown: what of a file is read
with open(os.path.join(HERE, "data/classes.txt")) as f:
    some = f.readline(1)  # unknown: what of a file is read
with open(os.path.join(HERE, "data/classes.txt")) as f:
    start = f.read(4)  # unknown: what of a file is read
    rest = f.read()  # unknown: what of a file is read

with open(os.path.join(HERE, "data/sizes.json"), "rb") as f:
    of_bytes = json.load(f)["units"]  # value: 256
with open(os.path.join(HERE, "data/classes.txt"), "rb") as f:
    raw = f.read()  # unknown: bytes

folder = Path(__file__).parent / "data"
count = len((folder / "classes.txt").read_text().split())  # value: 3
with (folder / "sizes.json").open() as f:
    again = json.load(f)["units"]  # value: 256
with open(folder.joinpath("sizes.json")) as f:
    third = json.load(f)["units"]  # value: 256
p = Path("runs") / "a" / "model.v2.keras"
path_parts = (p.name, p.stem, p.suffix, str(p), p.parent.name, f"{p}", str("x" / p), os.path.basename(p))  # value: ('model.v2.keras', 'model.v2', '.keras', 'runs/a/model.v2.keras', 'a', 'runs/a/model.v2.keras', 'x/runs/a/model.v2.keras', 'model.v2.keras')
same_path = Path("a") / "b" == Path("a/b")  # value: True
is_path = isinstance(p, Path), isinstance(p, str)  # value: (True, False)
there = p.exists()  # unknown: exists of a path

def missing(where):
    try:
        return open(where)
    except OSError:
        return None

unheard = missing("data/nowhere.json")  # unknown: what is in 'data/nowhere.json'
picture = missing("data/rose.png")  # unknown: what is in
bad = None
try:
    bad = json.loads("{1: 2}")  # unknown: no JSON
except ValueError:
    pass

def keep(path, what):
    with open(path, "w") as f:
        json.dump(what, f)

import tempfile
written = os.path.join(tempfile.mkdtemp(), "classes.txt")
keep("/dev/null", {})
with open(written, "w") as f:
    f.write("one\n")
