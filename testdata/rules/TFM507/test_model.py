import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse", run_eagerly=True)
model.fit(x, y)


def test_it():
    assert True
