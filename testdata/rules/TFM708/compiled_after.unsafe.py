# keras: 2.9
# machine: 2 x 24 GiB
# The model is built in the scope, and compiled after it.
from tensorflow import distribute, keras

strategy = distribute.MirroredStrategy()
with strategy.scope():
    net = keras.Sequential([keras.Input((8,)), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
net.compile(keras.optimizers.SGD(0.1), "mse", jit_compile=False)  # want "leaks memory in TensorFlow 2\.9\."
net.fit(x, y, batch_size=256, epochs=20)
