import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"  # want "TensorFlow ignores this value of TF_FORCE_GPU_ALLOW_GROWTH\."
os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")  # want "TensorFlow ignores this value of TF_FORCE_GPU_ALLOW_GROWTH\. It accepts only \"true\" and \"false\", and logs \"1\" as an error\.$"

import tensorflow as tf
