import tensorflow as tf

x = = 1  # noqa: TFM003
