import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"  # want "\"True\" is logged as an error and ignored"
os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")  # want "\"1\" is logged as an error and ignored"

import tensorflow as tf
