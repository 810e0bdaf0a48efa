import optuna
import tensorflow as tf
from data import features, labels


def objective(trial):  # <- here
    n = trial.suggest_int("n", 1, 3)
    units = [trial.suggest_int(f"units{i}", 4, 128) for i in range(n)]

    model = tf.keras.Sequential([tf.keras.layers.Dense(u) for u in units])
    model.add(tf.keras.layers.Dense(1))
    model.compile("adam", "mse")
    model.fit(features, labels, verbose=0)
    loss, accuracy = model.evaluate(features, labels)
    return accuracy


def main():
    study = optuna.create_study()
    study.optimize(objective, n_trials=50)


if __name__ == "__main__":
    main()
