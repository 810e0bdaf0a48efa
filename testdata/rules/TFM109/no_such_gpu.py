# machine: 2 x 24 GiB
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1,2"  # want "information: This machine has no GPU 2, only GPUs 0 to 1\. CUDA ignores it and every GPU listed after it\.$"
import tensorflow as tf
