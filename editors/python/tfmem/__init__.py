"""tfmem says before a TensorFlow program runs what GPU memory it needs.

The program is the command `tfmem`; this package finds it. `tfmem.estimate(model)` asks it about a model
of this program.
"""

import importlib.metadata
import os
import shutil
import sysconfig

__all__ = ["estimate", "find"]


def estimate(model, batch_size=None, gpu=None, optimizer=None):
    """The GPU memory that a Keras model of this program takes. See tfmem.models.estimate."""
    from tfmem import models

    return models.estimate(model, batch_size=batch_size, gpu=gpu, optimizer=optimizer)


def find():
    """The path of the program that was installed with this package, and no other's.

    Raises FileNotFoundError where it is not there.
    """
    name = "tfmem.exe" if os.name == "nt" else "tfmem"
    # pip's --target puts it beside the package, and records another place.
    places = [os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin", name)]
    try:
        places += [str(f.locate()) for f in importlib.metadata.files("tfmem") or [] if f.name == name]
    except importlib.metadata.PackageNotFoundError:
        pass
    places.append(os.path.join(sysconfig.get_path("scripts"), name))
    for path in map(os.path.normpath, places):
        if os.path.isfile(path):
            return path
    other = shutil.which("tfmem")
    found = f" ({other} belongs to another installation, and is not used)" if other else ""
    raise FileNotFoundError(f"there is no program at {' or '.join(dict.fromkeys(map(os.path.normpath, places)))}{found}: install tfmem again, with pip install --force-reinstall and what it was installed from")


def load_ipython_extension(ipython):
    """%load_ext tfmem."""
    from tfmem.magics import Magics

    ipython.register_magics(Magics)
