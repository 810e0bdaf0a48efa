# Lines of CSV files, whose fields have the types of what stands for those that are empty.
import tensorflow as tf

FEATURES = 4

rows = tf.data.experimental.CsvDataset("a.csv", [float()] * (FEATURES + 1))  # elements: float32, float32, float32, float32, float32
mixed = tf.data.experimental.CsvDataset(["a.csv"], [tf.int32, "", tf.constant([0.0], tf.float64)], header=True)  # elements: int32, string, float64


def pack(*row):
    return tf.stack(row[1:], 1), row[0]


packed = rows.batch(100).map(pack).unbatch()  # elements: 4 float32, float32  # batch: none
again = packed.shuffle(10).batch(16)  # elements: 4 float32, float32  # batch: 16


def parse(line):
    fields = tf.io.decode_csv(line, [0.0] * 3 + [tf.constant([], dtype=tf.int64)])
    return tf.stack(fields[:-1]), fields[-1]


lines = tf.data.TextLineDataset(["a.csv"]).skip(1).map(parse)  # elements: 3 float32, int64
twice = tf.data.Dataset.concatenate(lines, lines)  # elements: 3 float32, int64
