"""Only a model of Keras is compiled with a loss, whoever builds it."""
import tensorflow as tf
from lab.builders import build

network, backbone = build("unet", (256, 256), classes=8)
network.compile(optimizer="sgd", loss="categorical_crossentropy")  # want "Memory growth is not set"
network.fit(load_images(), epochs=30)
