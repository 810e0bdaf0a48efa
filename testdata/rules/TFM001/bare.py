# Bare comments of tfmem's own.
import tensorflow as tf
# tfmem: ignore # want "This comment suppresses nothing: tfmem finds nothing on this line\."
tf.config.list_physical_devices("GPU")  # tfmem: ignore # want "suppresses nothing: tfmem finds nothing on this line\."
tf.config.list_physical_devices("GPU")  # tfmem: ignore-file # want "finds nothing in this file"
tf.config.list_physical_devices("GPU")  # tfmem: ignore-file[TFM301] # want "TFM301 is suppressed here, but not found in this file"
