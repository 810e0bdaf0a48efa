import os, sys
import tensorflow as tf

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = sys.argv[1]
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true" if sys.argv else "false"
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = str(bool(sys.argv)).lower()
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = f"{sys.argv[1]}"
environ = dict(os.environ)
environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "1"
if os.environ.get("TF_FORCE_GPU_ALLOW_GROWTH") == "1":
    print("""os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "1" """)
