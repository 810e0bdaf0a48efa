from tensorflow import keras


def test_shape():
    (x, y), _ = keras.datasets.mnist.load_data()
    model = keras.Sequential([keras.layers.Input((28, 28, 1)), keras.layers.Conv2D(64, 3), keras.layers.Flatten(), keras.layers.Dense(10)])
    logits = model(x[..., None] / 255.0)
    assert logits.shape == (60000, 10)


test_shape()
