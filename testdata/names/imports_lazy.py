# Imports inside functions, branches and try statements.
import os

try:
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()  # name: tensorflow.compat.v1.disable_v2_behavior
except ImportError:
    import tensorflow as tf
    tf.Session()  # name: tensorflow.Session

try:
    from tensorflow import keras
except ImportError:
    import keras

try:
    import tensorflow_datasets as tfds
except ImportError:
    tfds = None

try:
    from tensorflow.keras.layers import Rescaling
except ImportError:
    from tensorflow.keras.layers.experimental.preprocessing import Rescaling

try:
    import tensorflow_hub as hub
except ImportError as e:
    raise SystemExit("install it") from e

if os.name == "nt":
    from tensorflow.keras import layers
else:
    from keras import layers

tf.Session()  # name: tensorflow.compat.v1.Session
keras.Model()  # name: tensorflow.keras.Model
tfds.load("mnist")  # name: tensorflow_datasets.load
Rescaling(1)  # name: tensorflow.keras.layers.Rescaling
hub.load("x")  # name: tensorflow_hub.load
layers.Dense(1)  # name: tensorflow.keras.layers.Dense


def lazily():
    import tensorflow as tf2
    from tensorflow.keras import layers as inner
    inner.Dense(1)  # name: tensorflow.keras.layers.Dense
    return tf2.zeros(1)  # name: tensorflow.zeros


tf2.zeros(1)  # name: -
inner.Dense(1)  # name: -


def uses_the_fallback():
    tfds.load("mnist")  # name: tensorflow_datasets.load
    tf.Session()  # name: tensorflow.compat.v1.Session


def local_try():
    try:
        import tensorflow as tensorflow_here
    except ImportError:
        tensorflow_here = None
    return tensorflow_here.zeros(1)  # name: tensorflow.zeros


def before_handlers():
    make_either(1)  # name: tensorflow.zeros


try:
    from tensorflow import zeros as make_either
except ImportError:
    from numpy import zeros as make_either

    def in_handler():
        make_either(1)  # name: -


def after_handlers():
    make_either(1)  # name: tensorflow.zeros
