# One process, as is the default, and threads.
import joblib
import tensorflow as tf
from scikeras.wrappers import KerasClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score


def build(units=8):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "binary_crossentropy")
    return model


estimator = KerasClassifier(model=build, verbose=0)
GridSearchCV(estimator, {"batch_size": [32, 64]}).fit(x, y)
GridSearchCV(estimator, {"batch_size": [32, 64]}, n_jobs=1).fit(x, y)
cross_val_score(RandomForestClassifier(), x, y, n_jobs=4)
with joblib.parallel_backend("threading", n_jobs=2):
    cross_val_score(estimator, x, y, n_jobs=2)
