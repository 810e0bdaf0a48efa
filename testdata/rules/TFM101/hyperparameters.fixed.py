"""A library that tries hyperparameters calls the function that trains."""
import optuna
import tensorflow as tf


def objective(trial):
    model = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("units", 1, 8))])  # want "Memory growth is not set"
    model.compile("sgd", "mse")
    return model.fit(x, y).history["loss"][-1]


def main():
    study = optuna.create_study(direction="minimize")
    study.optimize(objective, n_trials=25)


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    main()
