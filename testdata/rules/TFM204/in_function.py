import tensorflow


def prepare():
    gpus = tensorflow.config.list_physical_devices("GPU")
    if gpus:
        options = tensorflow.GPUOptions(allow_growth=True)  # want "which tensorflow.config.list_physical_devices on line 5 needs"
        return tensorflow.compat.v1.ConfigProto(gpu_options=options)
