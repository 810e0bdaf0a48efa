# scikit-learn builds and trains the model.
import tensorflow as tf
from sklearn.model_selection import RandomizedSearchCV


def build(units=30):
    model = tf.keras.models.Sequential()  # want "Memory growth is not set"
    model.add(tf.keras.layers.Dense(units, input_shape=[8]))
    model.add(tf.keras.layers.Dense(1))
    model.compile(loss="mse", optimizer="sgd")
    return model


regressor = tf.keras.wrappers.scikit_learn.KerasRegressor(build)
search = RandomizedSearchCV(regressor, {"units": [10, 20]}, n_iter=10, cv=3)
search.fit(x, y, epochs=100)
