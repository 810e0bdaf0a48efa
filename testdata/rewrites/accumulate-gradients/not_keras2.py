import tf_keras as keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y)  # <- here not "needs Keras 3"
