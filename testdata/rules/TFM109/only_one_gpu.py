# machine: 1 x 24 GiB
import os

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")  # want "information: This machine has no GPU 1, only GPU 0"
import tensorflow as tf
