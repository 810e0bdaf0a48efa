import tensorflow as tf

get_ipython().run_line_magic("env", "TF_GPU_ALLOCATOR=cuda_async")  # want "for \"cuda_async\" it uses its own allocator"
