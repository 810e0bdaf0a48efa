import numpy as np
import keras

x, y = np.ones((32, 500), "float32"), np.ones((32, 1000), "float32")
model = keras.Sequential([keras.Input((500,)), keras.layers.Dense(1000)])
model.compile("sgd", "mse")
model.fit(x, y, epochs=1, verbose=0, callbacks=[keras.callbacks.TensorBoard("/tmp/tfmem-histograms", histogram_freq=1, write_graph=False)])
