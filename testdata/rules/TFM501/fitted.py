# By default, the program trains with fit.
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--train-mode", default="fit", help="fit or eager")
parser.add_argument("--loop", default="eager")
args = parser.parse_args()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def main(args):
    if args.train_mode == "fit":
        model.compile("adam", "mse")
        model.fit(dataset)
    else:
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x) - y)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    if args.loop == "fit":
        model.compile("adam", "mse")
        model.fit(dataset)
    else:
        for x, y in dataset:
            with tf.GradientTape() as tape:  # want "This training step runs eagerly"
                loss = tf.reduce_mean(model(x) - y)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    if input() != "eager":
        model.fit(dataset)
    else:
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x) - y)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


main(args)
