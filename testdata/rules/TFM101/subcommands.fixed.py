"""A command line chooses the function by its subcommand."""
import argparse

import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def train(args):
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])  # want "Memory growth is not set"
    model.compile("adam", "mse")
    model.fit(*load_data(args.data), epochs=10)


def show(args):
    print(args.data)


parser = argparse.ArgumentParser()
commands = parser.add_subparsers(required=True)
training = commands.add_parser("train")
training.add_argument("--data", required=True)
training.set_defaults(run=train)
showing = commands.add_parser("show")
showing.set_defaults(run=show)
args = parser.parse_args()
args.run(args)
