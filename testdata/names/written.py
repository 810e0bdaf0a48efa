# Which package a name of Keras was imported from: the spelling of the import, not the canonical one.
import keras
import tensorflow as tf
import tf_keras as k2
import tensorflow.python.keras.layers as internal
from keras import layers
from keras.layers import Dense as Fully
from tensorflow import keras as bundled
from tensorflow.keras import backend as K

keras.layers.Dense(1)  # written: keras.layers.Dense
tf.keras.layers.Dense(1)  # written: tensorflow.keras.layers.Dense
k2.layers.Dense(1)  # written: tf_keras.layers.Dense
internal.Dense(1)  # written: tensorflow.python.keras.layers.Dense
layers.Dense(1)  # written: keras.layers.Dense
Fully(1)  # written: keras.layers.Dense
bundled.Model()  # written: tensorflow.keras.Model
K.clear_session()  # written: tensorflow.keras.backend.clear_session
set_policy = keras.mixed_precision.set_global_policy
set_policy("mixed_float16")  # written: keras.mixed_precision.set_global_policy

try:
    from keras.models import Sequential
except ImportError:
    from tensorflow.keras.models import Sequential
Sequential()  # written: keras.models.Sequential

model = keras.Sequential()
model.fit()  # written: -


def build(kind):
    return kind(1)  # written: -
