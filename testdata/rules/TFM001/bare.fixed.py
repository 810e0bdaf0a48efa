# Bare comments of tfmem's own.
import tensorflow as tf
# want "This comment suppresses nothing: tfmem finds nothing on this line\."
tf.config.list_physical_devices("GPU")  # want "suppresses nothing: tfmem finds nothing on this line\."
tf.config.list_physical_devices("GPU")  # want "finds nothing in this file"
tf.config.list_physical_devices("GPU")  # want "TFM301 is suppressed here, but not found in this file"
