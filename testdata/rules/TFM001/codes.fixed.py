# Of a list only the codes go that suppress nothing, and that are tfmem's.
import tensorflow as tf

tf.config.list_physical_devices("GPU")  # noqa: E501  # want "warning: TFM102 is suppressed here, but not found on this line\."
tf.config.list_physical_devices("GPU")  # noqa: E501, F401 # want "TFM102, TFM301 are suppressed here"
tf.config.list_physical_devices("GPU")  # because it is # want "tfm102 is suppressed"
tf.config.list_physical_devices("GPU")  # type: ignore # want "TFM102"
tf.config.list_physical_devices("GPU")  # want "TFM102, persistent-tape-held are"
