import tensorflow as tf
import wandb


def train():
    with wandb.init():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
        model.compile("sgd", "mse")
        model.fit(x, y)


wandb.agent(wandb.sweep(settings, project="one"), function=train, count=5)
