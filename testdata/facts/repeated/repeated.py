# What a library has a function called for again and again, and how often at most, if the code shows it. The
# answer stands beside the function.
import functools

import hyperopt
import optuna
import pandas as pd
from flask import Flask
from flask_restful import Resource
from keras.callbacks import Callback
from scikeras.wrappers import KerasRegressor
from skopt import gp_minimize
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

app = Flask(__name__)
study = optuna.load_study(study_name="widths", storage=storage)


def plain():  # repeated: nothing
    pass


def tried(trial):  # repeated: trial, 25
    pass


def tried_for_long(trial):  # repeated: trial, unknown
    pass


def collected(trial):  # repeated: trial, 10, garbage is collected
    pass


def through_lambda(trial, data):  # repeated: trial, 5
    pass


def through_partial(data, trial):  # repeated: trial, 6
    pass


class Called:
    def __call__(self, trial):  # repeated: trial, 7
        pass


TRIALS = 5 * 5
study.optimize(tried, n_trials=TRIALS)
study.optimize(tried_for_long, timeout=3600)
study.optimize(collected, 10, gc_after_trial=True)
study.optimize(lambda trial: through_lambda(trial, data), n_trials=5)
study.optimize(functools.partial(through_partial, data), n_trials=6)
study.optimize(Called(), n_trials=7)


def evaluated(space):  # repeated: trial, 40
    pass


def minimised(values):  # repeated: trial, 100
    pass


hyperopt.fmin(fn=evaluated, space=space, algo=hyperopt.tpe.suggest, max_evals=40)
gp_minimize(minimised, space)


def by_default():  # repeated: fold, 5, wrapped
    pass


def by_splitter():  # repeated: fold, 8, wrapped
    pass


def searched():  # repeated: candidate, 31, wrapped
    pass


def drawn():  # repeated: candidate, 51, wrapped
    pass


class Estimator:
    def fit(self, x, y):  # repeated: fold, 3
        return self


cross_val_score(KerasRegressor(by_default), x, y)
cross_val_score(make_pipeline(StandardScaler(), KerasRegressor(by_splitter)), x, y, cv=KFold(n_splits=8))
GridSearchCV(KerasRegressor(searched), {"units": [1, 2, 3], "rate": [0.1, 0.2]}, cv=5).fit(x, y)
RandomizedSearchCV(KerasRegressor(drawn), distributions).fit(x, y)
cross_val_score(Estimator(), x, y, cv=3)


@app.route("/")
def answered():  # repeated: request, unknown
    pass


class Answers(Resource):
    def get(self):  # repeated: request, unknown
        pass

    def help(self):  # repeated: nothing
        pass


class Watches(Callback):
    def on_epoch_end(self, epoch, logs=None):  # repeated: epoch, unknown
        pass

    def on_train_end(self, logs=None):  # repeated: nothing
        pass


def mapped(item):  # repeated: item, 3
    pass


def applied(text):  # repeated: item, unknown
    pass


results = list(map(mapped, [1, 2, 3]))
table = pd.read_csv("texts.csv")
table["length"] = table["text"].apply(applied)
