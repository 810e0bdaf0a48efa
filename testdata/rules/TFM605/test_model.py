from tensorflow import keras
from tensorflow.keras import layers


def test_model():
    model = keras.Sequential([
        layers.Input((224, 224, 3)),
        layers.Conv2D(64, 3, activation="relu"),
        layers.Flatten(),
        layers.Dense(128, activation="relu"),
    ])
    assert model.built


test_model()
