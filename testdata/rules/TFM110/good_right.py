import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = 'false'
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "1"
import tensorflow as tf
