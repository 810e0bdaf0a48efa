import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = str(True)  # want "\"True\" is logged as an error and ignored"
os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", str(1))  # want "\"1\" is logged as an error and ignored"

import tensorflow as tf
