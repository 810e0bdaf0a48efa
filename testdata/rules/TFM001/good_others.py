"""What is nobody's business here."""
# flake8: noqa
# ruff: noqa: TFM102
# tfmem: a tool for GPU memory
# tfmem is told nothing here: TFM102
import tensorflow as tf  # noqa
import os  # noqa: F401
import sys  # noqa: not a list of codes
import re  # noqa: TFM102, TFM001
import json  # noqa: TFM601

TEXT = "# noqa: TFM102"
MORE = """
# tfmem: ignore[TFM102]
"""
