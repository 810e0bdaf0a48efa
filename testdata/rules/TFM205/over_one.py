import tensorflow as tf

FRACTION = 50
config = tf.compat.v1.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 1.5  # want "warning: 1\.5 times the GPU's memory is more than it has\. TensorFlow then uses CUDA unified memory, and moves what does not fit to and from host memory, which is slow\. Use a fraction of at most 1\.$"
options = tf.compat.v1.GPUOptions(per_process_gpu_memory_fraction=FRACTION)  # want "warning: 50 times the GPU's memory"
gpu = config.gpu_options
gpu.per_process_gpu_memory_fraction = 1_0.0  # want "10 times"
options.per_process_gpu_memory_fraction = (2)  # want "2 times"


class Model:
    def __init__(self):
        self.config = tf.compat.v1.ConfigProto()
        self.config.gpu_options.per_process_gpu_memory_fraction = 1.01  # want "1.01 times"
