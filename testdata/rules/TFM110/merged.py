import os

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "2", "TF_FORCE_GPU_ALLOW_GROWTH": 'True'}  # want "\"True\" is logged as an error and ignored"
os.environ |= dict(TF_FORCE_GPU_ALLOW_GROWTH="yes")  # want "\"yes\" is logged as an error and ignored"

import tensorflow as tf
