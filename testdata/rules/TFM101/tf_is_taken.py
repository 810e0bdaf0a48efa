from tensorflow import keras

tf = "term frequency"
model = keras.Sequential([keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
