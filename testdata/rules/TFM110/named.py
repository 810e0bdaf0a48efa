import os

GROW = True
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = str(GROW)  # want "It accepts only \"true\" and \"false\", and logs \"True\" as an error\."
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = f"{GROW}"  # want "logs \"True\" as an error\."
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = repr(False)  # want "logs \"False\" as an error\."
ANSWER = "yes"
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = ANSWER  # want "logs \"yes\" as an error\."
os.environ.update([("CUDA_VISIBLE_DEVICES", "0"), ("TF_FORCE_GPU_ALLOW_GROWTH", "1")])  # want "logs \"1\" as an error\."
import tensorflow as tf
