# The function sets growth before it uses the GPU.
import optuna
import tensorflow as tf


def objective(trial):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    model = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("units", 1, 8))])
    model.compile("sgd", "mse")
    return model.fit(x, y).history["loss"][-1]


optuna.create_study().optimize(objective, n_trials=1)
