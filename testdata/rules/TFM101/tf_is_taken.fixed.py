from tensorflow import keras
import tensorflow

for gpu in tensorflow.config.list_physical_devices("GPU"):
    tensorflow.config.experimental.set_memory_growth(gpu, True)

tf = "term frequency"
model = keras.Sequential([keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
