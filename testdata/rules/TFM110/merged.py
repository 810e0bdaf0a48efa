import os

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "2", "TF_FORCE_GPU_ALLOW_GROWTH": 'True'}  # want "TensorFlow ignores this value of TF_FORCE_GPU_ALLOW_GROWTH\."
os.environ |= dict(TF_FORCE_GPU_ALLOW_GROWTH="yes")  # want "TensorFlow ignores this value of TF_FORCE_GPU_ALLOW_GROWTH\."

import tensorflow as tf
