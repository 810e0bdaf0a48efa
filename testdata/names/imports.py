# Every way to import TensorFlow and Keras leads to one qualified name.
import os, sys as system
import tensorflow as tf
import tensorflow
import tensorflow.keras.layers
import tensorflow.keras.models as km
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras import layers as L
from tensorflow.keras.layers import Dense, Conv2D as Conv
from tensorflow.keras.layers import (
    Flatten,  # binds: Flatten
    Dropout as Drop,  # binds: Drop
)
from tensorflow.keras import Model, Sequential as Seq  # binds: Model, Seq
import tensorflow.data as data, tensorflow.nn  # binds: data, tensorflow

tf.keras.layers.Dense(1)  # name: tensorflow.keras.layers.Dense  # type: tensorflow.keras.layers.Dense
tensorflow.keras.layers.Dense(1)  # name: tensorflow.keras.layers.Dense
tensorflow.nn.relu(1)  # name: tensorflow.nn.relu
km.load_model("m")  # name: tensorflow.keras.models.load_model  # type: tensorflow.keras.Model
keras.layers.Dense(1)  # name: tensorflow.keras.layers.Dense
layers.Dense(1)  # name: tensorflow.keras.layers.Dense
L.Dense(1)  # name: tensorflow.keras.layers.Dense
Dense(1)  # name: tensorflow.keras.layers.Dense
Conv(1, 3)  # name: tensorflow.keras.layers.Conv2D
Drop(0.5)(Flatten()(1))  # name: tensorflow.keras.layers.Dropout, -, tensorflow.keras.layers.Flatten, -
Seq([Dense(1)])  # name: tensorflow.keras.Sequential, tensorflow.keras.layers.Dense
km.Sequential()  # name: tensorflow.keras.Sequential
data.Dataset.range(3)  # name: tensorflow.data.Dataset.range  # type: tensorflow.data.Dataset
os.path.join("a", "b")  # name: os.path.join
system.exit(1)  # name: sys.exit
tf.float32  # name: tensorflow.float32
tf  # name: tensorflow
(tf).zeros(1)  # name: tensorflow.zeros
tf . zeros (1)  # name: tensorflow.zeros
tf.zeros(1).numpy().sum()  # name: tensorflow.zeros, -, -
print(1)  # name: -
missing.zeros(1)  # name: -
