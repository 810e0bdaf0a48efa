"""Stands in for TensorFlow, so that a mended script can be run where there is
neither TensorFlow nor a GPU: a machine with two GPUs that, as the real ones,
can be told to grow only before they are first used.
"""

from types import SimpleNamespace
from unittest.mock import MagicMock

_gpus = ["GPU:0", "GPU:1"]
_growing = []
_used = False


def _set_memory_growth(device, enable):
    if _used:
        raise RuntimeError("Physical devices cannot be modified after being initialized")
    if device not in _gpus:
        raise ValueError(f"Unrecognized device: {device}")
    if enable:
        _growing.append(device)


def _sequential(layers):
    global _used
    _used = True
    print("growing:", *_growing)
    return MagicMock()


def _list_physical_devices(device_type=None):
    return list(_gpus) if device_type in (None, "GPU") else []


config = SimpleNamespace(
    list_physical_devices=_list_physical_devices,
    experimental=SimpleNamespace(
        list_physical_devices=_list_physical_devices,
        set_memory_growth=_set_memory_growth,
    ),
)
data = MagicMock()
keras = MagicMock()
keras.Sequential = _sequential
keras.datasets.fashion_mnist.load_data.return_value = ((MagicMock(), MagicMock()), (MagicMock(), MagicMock()))
