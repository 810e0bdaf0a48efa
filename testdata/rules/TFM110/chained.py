import os
import tensorflow as tf

os.environ["A"] = os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "t"  # want "\"t\""
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = os.environ["A"] = "t"  # want "\"t\""
