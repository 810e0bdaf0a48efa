import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "1"  # want "warning: TensorFlow reads TF_FORCE_GPU_ALLOW_GROWTH only where it is exactly .true. or .false.: .1. is logged as an error and ignored"
import tensorflow as tf
