from keras.src.applications import imagenet_utils


def preprocess_input(x):
    return imagenet_utils.preprocess_input(x, mode="tf")


preprocess_input.__doc__ = imagenet_utils.PREPROCESS_INPUT_DOC.format(mode="tf")
