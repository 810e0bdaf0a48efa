"""tfmem.estimate: what a Keras model that lives in this program needs of a GPU."""

import html
import json
import os
import subprocess

from tfmem import find


class Estimate:
    """What tfmem tells of a model: text in a terminal and in a notebook, and the same as data.

    data is what `tfmem estimate --output-format json` says of the model; its schema is that of the
    repository's estimate.schema.json. Sizes are bytes.
    """

    def __init__(self, text, data):
        self.text, self.data = text, data

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return f"<pre>{html.escape(self.text)}</pre>"


def estimate(model, batch_size=None, gpu=None, optimizer=None):
    """The GPU memory that training a Keras model, or running it, takes.

    The model is a keras.Model, Keras 2 or 3, compiled or not; it is neither run nor changed. It is
    described by its own to_json, so it must not be a class of its own. gpu is a name or a size such as
    "24GiB"; without it, the GPU of this machine or of the project's settings counts. optimizer is the
    name of one, such as "adam", instead of the model's own.

    Raises ValueError if the model or an argument cannot be used.
    """
    try:
        described = json.loads(model.to_json())
    except (AttributeError, NotImplementedError, TypeError, ValueError) as err:
        raise ValueError(f"tfmem: this model does not describe itself by to_json: {err or type(err).__name__}") from None
    # Keras 2 leaves it out of to_json.
    if "compile_config" not in described and hasattr(model, "get_compile_config"):
        compiled = model.get_compile_config()
        if compiled:
            described["compile_config"] = compiled
    path = os.path.join(os.getcwd(), f"{name(model)}.json")  # no file: the settings of its folder count
    command = [find(), "estimate", "--exit-zero", "--stdin-filename", path]
    for flag, value in (("--batch-size", batch_size), ("--gpu", gpu), ("--optimizer", optimizer)):
        if value is not None:
            command += [flag, str(value)]
    text = json.dumps(described, default=str)
    out = run([*command, "--output-format", "json"], text)
    models = json.loads(out)["models"] if out.strip() else []
    if not models:
        raise ValueError(f"tfmem: {name(model)} is not priced: it has classes or functions of your own, which its description only names")
    return Estimate(run(command, text).strip().replace(f"{path}:1:1: model, ", f"{name(model)}, "), models[-1])


def name(model):
    """The model's name, for the report."""
    said = getattr(model, "name", None)
    return said if isinstance(said, str) and said.isidentifier() else "model"


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=120)
    if done.returncode == 2:
        raise ValueError("tfmem: " + (done.stderr.strip().split("\n\n")[0].removeprefix("error: ") or "it failed and said nothing"))
    return done.stdout
