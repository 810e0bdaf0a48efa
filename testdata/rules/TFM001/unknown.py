# What tfmem does not know it does not remove: a newer one may.
import tensorflow as tf

tf.config.list_physical_devices("GPU")  # noqa: TFM1O2
tf.config.list_physical_devices("GPU")  # noqa: TFM120 # want "There is no rule TFM120; did you mean TFM1[0-9][0-9]\?"
tf.config.list_physical_devices("GPU")  # tfmem: ignore[tape-held] # want "There is no rule tape-held"
tf.config.list_physical_devices("GPU")  # tfmem: ignore[persistent-tape-hold] # want "no rule persistent-tape-hold; did you mean persistent-tape-held\?"
tf.config.list_physical_devices("GPU")  # tfmem: ignore[] # want "suppresses nothing: the list names no rule"
tf.config.list_physical_devices("GPU")  # tfmem: ignore[TFM101 # want "suppresses nothing: the list has no \]"
tf.config.list_physical_devices("GPU")  # tfmem: ignored # want "tfmem has no comment ignored; did you mean ignore\?"
tf.config.list_physical_devices("GPU")  # tfmem: off[TFM101] # want "tfmem has no comment off"
