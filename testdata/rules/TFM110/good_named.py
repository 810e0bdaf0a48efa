import os

GROW = "true"
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = GROW
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = f"{GROW}"
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = str(chosen)
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = f"{chosen}"
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = str(True).lower()
for answer in ("true", "false"):
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = answer
import tensorflow as tf
