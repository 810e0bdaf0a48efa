# Of a list only the codes go that suppress nothing, and that are tfmem's.
import tensorflow as tf

tf.config.list_physical_devices("GPU")  # noqa: TFM102, E501  # want "warning: TFM102 is suppressed here, but not found on this line\."
tf.config.list_physical_devices("GPU")  # noqa: E501, TFM102,TFM301 F401 # want "TFM102, TFM301 are suppressed here"
tf.config.list_physical_devices("GPU")  # noqa:tfm102 because it is # want "tfm102 is suppressed"
tf.config.list_physical_devices("GPU")  # type: ignore # tfmem: ignore[TFM102] # want "TFM102"
tf.config.list_physical_devices("GPU")  # tfmem: ignore[ TFM102 , persistent-tape-held ] # want "TFM102, persistent-tape-held are"
