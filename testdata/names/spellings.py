# TensorFlow 1, 2, compat, Keras 2 and Keras 3 by their many names.
import keras
import keras.backend as K
import tf_keras
import tensorflow.compat.v1 as tf1
import tensorflow.compat.v2 as tf2
import tensorflow.contrib.eager as tfe
import tensorflow.contrib.keras as contrib_keras
from keras.layers import Dense
from keras.models import Sequential
from keras.src.layers import Conv2D
from keras._tf_keras.keras.layers import Conv1D
from tensorflow.python.keras.layers import LSTM
from tensorflow.python.keras import backend
from tensorflow.python.client import device_lib
from tensorflow.python.client import session
from tensorflow.python.eager.backprop import GradientTape
from tensorflow.compat import v1, v2
from tensorflow.compat.v1 import keras as keras1
from tensorflow.keras.applications.resnet50 import ResNet50, preprocess_input
from absl import app, flags

keras.layers.Dense(1)  # name: tensorflow.keras.layers.Dense
keras  # name: tensorflow.keras
K.clear_session()  # name: tensorflow.keras.backend.clear_session
tf_keras.Model()  # name: tensorflow.keras.Model
tf_keras.models.Model()  # name: tensorflow.keras.Model
tf1.Session()  # name: tensorflow.compat.v1.Session
tf1.data.Dataset.range(3)  # name: tensorflow.data.Dataset.range
tf1.keras.layers.Dense(1)  # name: tensorflow.keras.layers.Dense
tf1.GradientTape()  # name: tensorflow.GradientTape
tf2.constant(1)  # name: tensorflow.constant
tf2.compat.v1.Session()  # name: tensorflow.compat.v1.Session
tfe.GradientTape()  # name: tensorflow.GradientTape
contrib_keras.layers.Dense(1)  # name: tensorflow.keras.layers.Dense
Dense(1)  # name: tensorflow.keras.layers.Dense
Sequential()  # name: tensorflow.keras.Sequential
Conv2D(1, 3)  # name: tensorflow.keras.layers.Conv2D
LSTM(1)  # name: tensorflow.keras.layers.LSTM
backend.clear_session()  # name: tensorflow.keras.backend.clear_session
device_lib.list_local_devices()  # name: tensorflow.python.client.device_lib.list_local_devices
session.Session()  # name: tensorflow.compat.v1.Session
GradientTape()  # name: tensorflow.GradientTape
v1.Session()  # name: tensorflow.compat.v1.Session
v2.zeros(1)  # name: tensorflow.zeros
keras1.Sequential()  # name: tensorflow.keras.Sequential
ResNet50()  # name: tensorflow.keras.applications.ResNet50  # type: tensorflow.keras.Model
preprocess_input(1)  # name: tensorflow.keras.applications.preprocess_input
app.run(None)  # name: absl.app.run
Conv1D(1, 1)  # name: tensorflow.keras.layers.Conv1D
