# functools.partial of a library's names.
from functools import partial
from tensorflow.keras import layers
import tensorflow as tf

Conv = partial(layers.Conv2D, padding="same")
Conv(3, 3)  # name: -  # type: tensorflow.keras.layers.Conv2D
Conv(3, 3).build(1)  # name: -, tensorflow.keras.layers.Layer.build
Small = partial(Conv, kernel_size=3)
Small(3)  # type: tensorflow.keras.layers.Conv2D
partial(layers.Dense, 3)()  # type: -, tensorflow.keras.layers.Dense
Strange = partial()
Strange()  # type: -
