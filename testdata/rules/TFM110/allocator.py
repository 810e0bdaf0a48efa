import os

os.environ["TF_GPU_ALLOCATOR"] = "cuda_mallocasync"  # want "warning: TensorFlow ignores this value of TF_GPU_ALLOCATOR\. It knows only \"cuda_malloc_async\", \"cuda_malloc\" and \"memory_guard\"; for \"cuda_mallocasync\" it uses its own allocator, and logs nothing\.$"
os.environ["TF_GPU_ALLOCATOR"] = 'CUDA_MALLOC_ASYNC'  # want "TensorFlow ignores this value of TF_GPU_ALLOCATOR\."
os.environ["TF_GPU_ALLOCATOR"] = "cuda_malloc_async "  # want "for \"cuda_malloc_async \" it uses its own allocator"
os.environ.setdefault("TF_GPU_ALLOCATOR", "cudaMallocAsync")  # want "TensorFlow ignores this value of TF_GPU_ALLOCATOR\."
os.putenv("TF_GPU_ALLOCATOR", "async")  # want "for \"async\" it uses its own allocator"
os.environ.update({"TF_GPU_ALLOCATOR": "platform", "TF_CPP_MIN_LOG_LEVEL": "2"})  # want "for \"platform\" it uses its own allocator"

import tensorflow as tf

print(tf.reduce_sum(tf.ones((100, 100))))
