import os
import sys

os.environ["TF_GPU_ALLOCATOR"] = "cuda_malloc_async"
os.environ["TF_GPU_ALLOCATOR"] = "cuda_malloc"
os.environ["TF_GPU_ALLOCATOR"] = "memory_guard"
# TensorFlow's own allocator, by a name that it does not know and does not need.
os.environ["TF_GPU_ALLOCATOR"] = "BFC"
os.environ.setdefault("TF_GPU_ALLOCATOR", "default")
os.environ["TF_GPU_ALLOCATOR"] = ""
os.environ["TF_GPU_ALLOCATOR"] = sys.argv[1]
os.environ["XLA_PYTHON_CLIENT_ALLOCATOR"] = "platform"  # JAX's
print(os.environ["TF_GPU_ALLOCATOR"])

import tensorflow as tf
