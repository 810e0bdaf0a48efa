import tensorflow as tf
from tensorflow import ConfigProto, InteractiveSession as Session  # want "ImportError: cannot import name 'ConfigProto' from 'tensorflow'\." "cannot import name 'InteractiveSession'"
from tensorflow import GPUOptions, keras  # want "cannot import name 'GPUOptions'"

tf.random.set_seed(1)
sess = Session(config=ConfigProto(gpu_options=GPUOptions()))
