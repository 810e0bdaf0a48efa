"""Asks a program's TensorFlow, when it uses it. Python imports this at its start.

TFMEM_PEAKS names a folder: the peak of its memory is written there when the process ends.
TFMEM_PROBE names one: hold.py writes there what the program trains with, and stops it.
"""

import os
import sys


def _report():
    tf = sys.modules.get("tensorflow")
    path = os.environ.get("TFMEM_PEAKS")
    if tf is None or not path:
        return
    # To list the devices of a TensorFlow that nobody has used would initialise it.
    eager = sys.modules.get("tensorflow.python.eager.context")
    if eager is not None and getattr(eager.context(), "_context_handle", None) is None:
        return
    import json

    peaks = {}
    for device in tf.config.list_logical_devices():
        name = device.name.replace("/device:", "")
        try:
            peaks[name] = int(tf.config.experimental.get_memory_info(name)["peak"])
        except Exception:  # this device, or this TensorFlow, has no such figure
            pass
    with open(os.path.join(path, f"{os.getpid()}.json"), "w") as file:
        json.dump(peaks, file)


def _at_exit():
    try:
        _report()
    except Exception:  # the program's end must stay as it is
        pass


def _hold():
    try:
        import tfmem_hold  # noqa: F401
    except Exception:  # a Python too old for it
        pass


def _next():
    """Runs the sitecustomize module that this one hides, if there is one."""
    import importlib.machinery
    import importlib.util

    here = os.path.dirname(os.path.abspath(__file__))
    path = [p for p in sys.path if os.path.abspath(p or os.getcwd()) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if os.environ.get("TFMEM_PEAKS"):
    __import__("atexit").register(_at_exit)
if os.environ.get("TFMEM_PROBE"):
    _hold()
_next()
