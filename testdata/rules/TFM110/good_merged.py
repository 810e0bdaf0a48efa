import os

os.environ |= {"TF_FORCE_GPU_ALLOW_GROWTH": "true"}
os.environ |= settings
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = str(settings["growth"]).lower()
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = str(True).lower()

import tensorflow as tf
