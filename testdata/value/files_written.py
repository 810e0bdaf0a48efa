# What the program may have written is not what lies there.
import json
import os

HERE = os.path.dirname(__file__)
if os.environ.get("WRITE"):
    with open(os.path.join(HERE, "data", "sizes.json"), "w") as f:
        json.dump({"units": 8}, f)
sizes = json.load(open(os.path.join(HERE, "data/sizes.json")))  # unknown: what is in
