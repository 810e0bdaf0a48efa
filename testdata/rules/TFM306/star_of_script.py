"""tf comes from a utility script of the notebook, which is not here."""
from notebook_utilities import *

dataset = tf.data.Dataset.from_tensor_slices((load("x"), load("y")))
dataset = dataset.repeat().shuffle(2048).batch(32)  # want "shuffle\(\) comes after repeat\(\), so it mixes one epoch with the next\."
model = tf.keras.models.load_model("model.keras")
model.fit(dataset, steps_per_epoch=100)
