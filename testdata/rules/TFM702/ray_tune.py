# Trials of Ray Tune on parts of a GPU (ray-project/ray#6500).
import tensorflow as tf
from ray import tune


def train(config):
    model = tf.keras.Sequential([tf.keras.layers.Dense(config["units"]), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    tune.report(loss=model.fit(load(), epochs=3).history["loss"][-1])


space = {"units": tune.choice([16, 32])}
tuner = tune.Tuner(tune.with_resources(train, {"cpu": 2, "gpu": 0.25}), param_space=space)  # want "warning: These processes share the GPU without a memory limit\. Ray runs 4 at a time on one GPU: the part that each asks for, 0\.25, limits no memory\. Each uses TensorFlow \(train, on line 8\)"
tune.run(train, config=space, num_samples=10, resources_per_trial={"gpu": 1 / 3})  # want "Ray runs 3 at a time on one GPU: the part that each asks for, 1 / 3, limits"
