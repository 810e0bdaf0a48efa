# What functions that are not followed may have written is not what lies there.
import os
import shutil
from pathlib import Path

HERE = os.path.dirname(__file__)
if os.environ.get("COPY"):
    shutil.copy("other.txt", os.path.join(HERE, "data/classes.txt"))
copied = open(os.path.join(HERE, "data/classes.txt")).read()  # unknown: what is in
if os.environ.get("MOVE"):
    Path("other.json").rename(Path(HERE) / "data" / "sizes.json")
moved = open(os.path.join(HERE, "data/sizes.json")).read()  # unknown: what is in
os.path.exists(os.path.join(HERE, "data/omega.yaml"))
kept = len(open(os.path.join(HERE, "data/omega.yaml")).read())  # value: 109
os.system("true")
made = open(os.path.join(HERE, "data/omega.yaml")).read()  # unknown: what is in
