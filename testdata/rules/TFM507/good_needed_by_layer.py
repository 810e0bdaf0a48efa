import keras


class Lookup(keras.layers.Layer):
    def call(self, x):
        return table[x.numpy().tobytes()]


model = keras.Sequential([Lookup()])
model.compile("adam", "mse", run_eagerly=True)
model.fit(x, y)
