"""Comments that suppress: on the first line, or on the last of the statement."""
import tensorflow as tf

x = tf.constant(1)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # noqa: TFM102
    tf.config.experimental.set_memory_growth(gpu, True)  # NOQA:E501,tfm102
    tf.config.experimental.set_memory_growth(gpu, True)  # noqa
    tf.config.experimental.set_memory_growth(gpu, True)  # tfmem: ignore
    tf.config.experimental.set_memory_growth(gpu, True)  # why #tfmem:ignore[memory-growth-after-init] as said
    tf.config.experimental.set_memory_growth(
        gpu,
        True,
    )  # tfmem: ignore[TFM102]
    tf.config.experimental.set_memory_growth(  # noqa: TFM102
        gpu,
        True,
    )
