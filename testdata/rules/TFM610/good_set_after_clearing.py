import keras


def train(width):
    keras.backend.clear_session()
    keras.mixed_precision.set_global_policy("mixed_float16")
    model = keras.Sequential([keras.Input((32,)), keras.layers.Dense(width)])
    model.compile("adam", "mse")
    model.fit(x, y)


for width in (8, 16):
    train(width)

keras.mixed_precision.set_global_policy("mixed_float16")
if restart():
    keras.backend.clear_session()
last = keras.Sequential([keras.Input((32,)), keras.layers.Dense(1)])
