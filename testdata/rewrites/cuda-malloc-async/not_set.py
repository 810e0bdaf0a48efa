import os

os.environ["TF_GPU_ALLOCATOR"] = "cuda_malloc_async"
import tensorflow as tf  # <- here not "set already, on line 3"

x = tf.constant(1)
