import tensorflow as tf

get_ipython().run_line_magic("env", "TF_FORCE_GPU_ALLOW_GROWTH=1")  # want "\"1\" is logged"
