# A library's wrapper of a model, and a program that sets growth before it fits.
import tensorflow as tf
from scikeras.wrappers import KerasClassifier
from sklearn.model_selection import cross_val_score


def build():
    model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
    model.compile(loss="mse")
    return model


for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
print(cross_val_score(KerasClassifier(model=build, epochs=10), x, y))
