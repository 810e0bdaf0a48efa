import tensorflow as tf

get_ipython().run_line_magic("env", "TF_FORCE_GPU_ALLOW_GROWTH=1")  # want "TensorFlow ignores this value of TF_FORCE_GPU_ALLOW_GROWTH\. It accepts only \"true\" and \"false\", and logs \"1\" as an error\.$"
