"""tf comes from a utility script of the notebook, which is not here."""
from notebook_utilities import *

from tensorflow.keras import layers

seed_everything(0)
weights = tf.cast([1, 2, 3], tf.float32)  # want "Memory growth is not set"
outputs = get_outputs(layers.Dense(3)(weights))
