import argparse
import tensorflow as tf

args = argparse.ArgumentParser().parse_args()
DEBUG = True
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse", run_eagerly=args.debug)
model.compile("adam", "mse", run_eagerly=DEBUG)
model.compile("adam", "mse", run_eagerly=False)
model.compile("adam", "mse", **{"run_eagerly": True})
if args.debug:
    model.compile("adam", "mse", run_eagerly=True)
    model.run_eagerly = True
    tf.config.run_functions_eagerly(True)
args.debug and model.compile("adam", "mse", run_eagerly=True)


def debug_step():
    model.compile("adam", "mse", run_eagerly=True)


class Tests(tf.test.TestCase):
    def test_compile(self):
        model.compile("adam", "mse", run_eagerly=True)


model.fit(x, y)
