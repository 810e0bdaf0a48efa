from tensorflow import keras

m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8)])
m.compile(keras.optimizers.Mine(), "mse")  # cause
m.fit(keras.ops.zeros((64, 4)), keras.ops.zeros((64, 8)))
