# no python: absl may not be there
# absl's flags, and those of TensorFlow 1.
from absl import app, flags
import tensorflow.compat.v1 as tf

FLAGS = flags.FLAGS
flags.DEFINE_integer("batch_size", 128, "Batch size.")
flags.DEFINE_float("rate", 1, "Rate.")
flags.DEFINE_string("mode", "train", "Mode.")
flags.DEFINE_bool("fast", False, "Fast.")
flags.DEFINE_list("layers", "64,32", "Layers.")
flags.DEFINE_enum(name="kind", default="a", enum_values=["a", "b"], help="Kind.")
flags.DEFINE_multi_integer("dims", [1, 2], "Dims.")
flags.DEFINE_string("data", None, "Data.")
flags.mark_flag_as_required("data")
_DEPTH = flags.DEFINE_integer("depth", 5, "Depth.")
tf.flags.DEFINE_integer("old", 7, "Old.")
tf.app.flags.DEFINE_integer(flag_name="older", default_value=8, docstring="Older.")
results = []


def main(argv):
    del argv
    results.append(FLAGS.batch_size)
    if FLAGS.mode == "train":
        results.append(FLAGS.layers)
    else:
        results.append("test")


if __name__ == "__main__":
    app.run(main)

a = results[0]  # value: 128 # lit: 128 # soft
b = results[1]  # value: ['64', '32']
c = FLAGS.rate  # value: 1.0 # lit: 1 # soft
d = FLAGS.fast, FLAGS.kind, FLAGS.dims  # value: (False, 'a', [1, 2])
e = FLAGS.data  # unknown: the flag data, which must be given
f = _DEPTH.value  # value: 5 # lit: 5 # soft
g = tf.flags.FLAGS.old + tf.app.flags.FLAGS.older  # value: 15 # soft
FLAGS.batch_size = 16
h = FLAGS.batch_size  # value: 16 # hard
i = FLAGS.missing  # unknown: the flag missing is not defined here
