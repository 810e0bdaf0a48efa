import os

os.environ["TF_GPU_ALLOCATOR"] = True  # want "warning: Environment variables are strings, so this raises TypeError: str expected, not bool\. Use \"cuda_malloc_async\"\.$"

import tensorflow as tf
