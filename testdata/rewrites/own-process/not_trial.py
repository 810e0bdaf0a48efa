import optuna
import tensorflow as tf
from hyperopt import fmin, hp, tpe

results = []


def create(trial):
    return tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("units", 1, 8))])


def passes_on(trial):
    model = create(trial)  # <- here not "trial is used on line 13 by what would run in the other process"
    model.compile("sgd", "mse")
    model.fit(x, y)
    return model.evaluate(x, y)


def reports(trial):
    rate = trial.suggest_float("rate", 0, 1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(rate), "mse")
    for epoch in range(3):
        model.fit(x, y)  # <- here not "trial is used on line 25"
        trial.report(model.evaluate(x, y), epoch)
    return model.evaluate(x, y)


def in_a_loop(trial):
    model = tf.keras.Sequential()
    for i in range(3):
        model.add(tf.keras.layers.Dense(trial.suggest_int(f"units{i}", 1, 8)))  # <- here not "what trial is asked for on line 32 depends on"
    model.fit(x, y)
    return model.evaluate(x, y)


def keeps(trial):
    model = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("units", 1, 8))])
    model.fit(x, y)  # <- here not "results, which is changed on line 40"
    results.append(model.evaluate(x, y))
    return results[-1]


def counts(trial):
    global best
    model = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("units", 1, 8))])
    model.fit(x, y)  # <- here not "best, which is changed on line 45, would only be changed in the other process"
    best = model.evaluate(x, y)
    return best


def returns_model(params):
    model = tf.keras.Sequential([tf.keras.layers.Dense(int(params["units"]))])
    model.fit(x, y)
    return {"loss": model.evaluate(x, y), "model": model}  # <- here not "not known whether the other process can send back"


@unknown
def decorated(trial):
    model = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("units", 1, 8))])
    model.fit(x, y)
    return 1.0


def asks_nothing(trial):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(x, y)
    return model.evaluate(x, y)


for fn in 1, 2:
    optuna.create_study().optimize(passes_on, n_trials=3)
optuna.create_study().optimize(reports, n_trials=3)
optuna.create_study().optimize(in_a_loop, n_trials=3)
optuna.create_study().optimize(keeps, n_trials=3)
optuna.create_study().optimize(counts, n_trials=3)
optuna.create_study().optimize(decorated, n_trials=3)
optuna.create_study().optimize(asks_nothing, n_trials=3)  # <- here not "asks the trial for nothing"
fmin(returns_model, {"units": hp.quniform("units", 1, 8, 1)}, algo=tpe.suggest, max_evals=3)
