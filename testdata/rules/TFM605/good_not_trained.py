from tensorflow import keras
from tensorflow.keras import layers

# The large layer is in a model that another one is made of without it, or is a small part of
# what is trained, or is frozen.
old = keras.Sequential([layers.Input((64, 64, 32)), layers.Flatten(name="flat"), layers.Dense(256), layers.Dense(10)])
features = keras.Model(old.inputs, layers.Dense(10)(layers.GlobalAveragePooling2D()(old.inputs[0])))
features.compile("adam", "mse")

part = keras.Sequential([layers.Input((64, 64, 8)), layers.Flatten(), layers.Dense(32)])
inputs = keras.Input((64, 64, 8))
whole = keras.Model(inputs, layers.Dense(8192)(layers.Dense(4096)(part(inputs))))
whole.compile("adam", "mse")

frozen = layers.Dense(256)
frozen.trainable = False
other = keras.Sequential([layers.Input((64, 64, 32)), layers.Flatten(), frozen, layers.Dense(10)])
other.compile("adam", "mse")
