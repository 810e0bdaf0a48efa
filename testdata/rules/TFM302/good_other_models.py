# Other libraries batch a Dataset themselves.
import autokeras as ak
import tensorflow as tf
from sklearn.linear_model import SGDRegressor

train = tf.data.Dataset.from_tensor_slices((x, y)).batch(256)
found = ak.ImageClassifier(max_trials=1)
found.fit(train, batch_size=32)
SGDRegressor().fit(train, batch_size=32)


class Own:
    def fit(self, data, batch_size):
        for batch in data.batch(batch_size):
            print(batch)


class Cut(tf.keras.Model):
    def predict(self, data, batch_size):
        return super().predict(data.rebatch(batch_size))


Own().fit(train, batch_size=32)
Cut().predict(train, batch_size=32)


def search(tuner: "kerastuner.Tuner", tf):
    rows = tf.data.Dataset.range(10).batch(3)
    tuner.predict(rows, batch_size=3)
