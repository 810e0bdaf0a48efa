# Searches and validations of scikit-learn in several processes (keras-team/keras#7553, #6862, tensorflow/tensorflow#43575).
# device: 24 GiB
import tensorflow as tf
from scikeras.wrappers import KerasClassifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler


def build(units=8):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "binary_crossentropy")
    return model


estimator = KerasClassifier(model=build, verbose=0)
grid = GridSearchCV(estimator, {"batch_size": [32, 64]}, cv=3, n_jobs=-1)  # want "warning: These processes share the GPU without a memory limit\. GridSearchCV\(\) starts a process for each CPU\. Each uses TensorFlow \(build, on line 11\) and reserves"
grid.fit(x, y)
