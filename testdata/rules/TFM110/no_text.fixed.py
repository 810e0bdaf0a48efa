import os
import tensorflow as tf

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"  # want "TypeError: str expected, not bool"
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"  # want "TypeError: str expected, not int"
