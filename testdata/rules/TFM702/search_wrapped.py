# The wrapper is a step of a pipeline, and the number of processes a name (tensorflow/tensorflow#47085).
# keras: 2.6
# device: 24 GiB
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from tensorflow import keras
from tensorflow.keras.wrappers.scikit_learn import KerasRegressor

JOBS = 3


def create():
    model = keras.models.Sequential()
    model.add(keras.layers.Dense(4, input_dim=7))
    model.compile("adam", "mse")
    return model


pipeline = Pipeline([("scale", StandardScaler()), ("net", KerasRegressor(build_fn=create, epochs=5))])
scores = cross_val_score(pipeline, x, y, cv=10, n_jobs=JOBS)  # want "cross_val_score\(\) starts 3 processes\. Each uses TensorFlow \(create, on line 14\) .* memory_limit=\d+ for each of 3\.$"
