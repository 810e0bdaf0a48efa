"""Comments that do not count: in a string, on another line, for another rule."""
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    # want "TFM102 is suppressed here, but not found on this line\. Put it at the end of the line that it is meant for\.$"
    tf.config.experimental.set_memory_growth(gpu, "# noqa: TFM102")  # want "error: "
    tf.config.experimental.set_memory_growth(gpu, True)  # want "TFM101 is suppressed" "error: "
    tf.config.experimental.set_memory_growth(  # want "error: "
        gpu,  # want "TFM102 is suppressed here"
        True,
    )

x = tf.constant(1)
