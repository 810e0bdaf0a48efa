"""The old name of the package, and an object that builds the models."""
from kerastuner.tuners import Hyperband

from models import Classifier
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

tuner = Hyperband(Classifier(10), objective="val_accuracy", max_epochs=20)
tuner.search(images, labels, validation_split=0.1)  # want "Memory growth is not set"
