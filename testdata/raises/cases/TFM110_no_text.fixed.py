# rule: TFM110
# raises: TypeError: str expected, not bool
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
import tensorflow as tf
